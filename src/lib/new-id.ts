import { v7 } from 'uuid'

/** Random bytes to come: to ask for those of one id alone costs more than the id. */
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

/** A new id: a UUID of version 7 (RFC 9562 §5.7), so that what is made at one time lies side by side in every index of ids; those of one process sort as they were made (§6.2, method 1). */
export function newId(): string {
  const bytes = some()
  const now = Date.now()
  // 31 random bits to begin with, of the 32 that there are to count on in.
  if (now > msecs) [msecs, seq] = [now, new DataView(bytes.buffer, bytes.byteOffset).getUint32(6) >>> 1]
  else if (++seq > 0xffff_ffff) [msecs, seq] = [msecs + 1, 0]
  return v7({ random: bytes, msecs, seq })
}
