import type { Room } from '../domain/call.ts'
import { ServiceError } from '../domain/errors.ts'
import { type HeaderList, headerValues } from './headers.ts'

/** A body as kept: at most the bytes asked for. */
export interface Body {
  readonly body: Uint8Array
  readonly truncated: boolean
}

/** On whose behalf a body is read: the memory it comes out of, how long it may wait for that, and its length where that is known. */
export interface Reader {
  readonly room: Room | undefined
  readonly signal: AbortSignal
  readonly length?: number | null
}

/** Bodies up to this size are nobody's concern. */
const smallBytes = 2 ** 20

/**
 * Reads up to `maxBytes` and leaves the rest unread. A body that turns out to be large is read on only when there is room for all that it may
 * become, which then stays taken. Rejects with what the source rejects with, and with the signal's reason while it waits.
 */
export async function readBody(chunks: AsyncIterable<Uint8Array>, maxBytes: number, reader?: Reader): Promise<Body> {
  const body = collector(Math.min(maxBytes, reader?.length ?? maxBytes), reader)
  try {
    for await (const chunk of chunks) {
      const left = maxBytes - body.length()
      await body.add(chunk.byteLength > left ? chunk.subarray(0, left) : chunk)
      if (chunk.byteLength > left) return { body: body.whole(), truncated: true }
    }
    return { body: body.whole(), truncated: false }
  } catch (error) {
    body.drop()
    throw error
  }
}

interface Collector {
  length(): number
  add(chunk: Uint8Array): Promise<void>
  whole(): Uint8Array
  /** Gives the room back. */
  drop(): void
}

/** Gathers a small body in parts, a large one in a piece of memory that holds all of it: parts to be joined would take twice as much. */
function collector(mostBytes: number, reader: Reader | undefined): Collector {
  const parts: Uint8Array[] = []
  let length = 0
  let memory: Uint8Array | null = null

  async function enlarge(): Promise<Uint8Array> {
    await reader?.room?.take(mostBytes, reader.signal)
    memory = join(parts.splice(0), mostBytes)
    return memory
  }

  return {
    length: () => length,
    async add(chunk) {
      const end = length + chunk.byteLength
      if (end > mostBytes) throw new ServiceError('SCRAPE_SITE_ERROR', 'The site sends more than it announced.')
      if (memory === null && end <= smallBytes) parts.push(chunk)
      else (memory ?? (await enlarge())).set(chunk, length)
      length = end
    },
    whole() {
      if (memory === null) return join(parts, length)
      // What was never written takes no memory. A copy takes no more than was set aside for it, unless more than half is used.
      if (length > memory.length / 2) return memory.subarray(0, length)
      reader?.room?.give(memory.length - length)
      return memory.slice(0, length)
    },
    drop() {
      if (memory !== null) reader?.room?.give(memory.length)
    },
  }
}

/** Memory of that length that begins with the parts. */
function join(parts: readonly Uint8Array[], length: number): Uint8Array {
  const whole = new Uint8Array(length)
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.byteLength
  }
  return whole
}

/** The length of the body itself as its headers tell it; null where they tell that of something else, or nothing that can be relied on. */
export function lengthOf(headers: HeaderList): number | null {
  const [length = '', ...more] = headerValues(headers, 'content-length')
  const certain = more.length === 0 && /^\d{1,15}$/.test(length) && !headers.some(([name]) => unmeasured.includes(name))
  return certain ? Number(length) : null
}

// With these the length is that of something else than what is read.
const unmeasured = ['content-encoding', 'transfer-encoding']
