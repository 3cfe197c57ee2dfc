import { v7 } from 'uuid'

/** Random bytes in stock: fetching sixteen at a time would cost more than the id. */
const random = new Uint8Array(256 * 16)
let at = random.length
let msecs = 0
let seq = 0

/** The next sixteen of them. */
function some(): Uint8Array {
  if (at === random.length) {
    crypto.getRandomValues(random)
    at = 0
  }
  at += 16
  return random.subarray(at - 16, at)
}

/** A new id: a UUID of version 7 (RFC 9562 §5.7). Ids made at one time lie side by side in every index, and those of one process sort in order of creation (§6.2, method 1). */
export function newId(): string {
  const bytes = some()
  const now = Date.now()
  // Start with 31 random bits of the 32-bit counter, which leaves room to count up.
  if (now > msecs) [msecs, seq] = [now, new DataView(bytes.buffer, bytes.byteOffset).getUint32(6) >>> 1]
  else if (++seq > 0xffff_ffff) [msecs, seq] = [msecs + 1, 0]
  return v7({ random: bytes, msecs, seq })
}
