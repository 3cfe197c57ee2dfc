import type { Room } from '../domain/call.ts'
import { ServiceError } from '../domain/errors.ts'
import { sampleBytes } from '../domain/pages/file-kind.ts'
import { anySignal } from '../lib/any-signal.ts'
import { untilAborted } from '../lib/deadline.ts'
import { Gathered } from './gathered.ts'
import { type HeaderList, headerValues } from './headers.ts'

/** A body, cut at the number of bytes asked for; `late`: cut when its time was up, or its connection broke; `unwanted`: its rest was left unread. */
export interface Body {
  readonly body: Uint8Array
  readonly truncated: boolean
  readonly late?: true
  readonly unwanted?: true
}

/** The reader of a body: the memory budget it uses, how long it may wait for memory, and the body's length if known. */
export interface Reader {
  readonly room: Room | undefined
  readonly signal: AbortSignal
  readonly length?: number | null
  /** Aborts when the body is to be cut where it is; given, a body that breaks off is cut there, too, unless nothing of it came. */
  readonly until?: AbortSignal | undefined
  /** Asked once, with the first bytes: false leaves the rest unread. */
  readonly wants?: ((start: Uint8Array) => boolean) | undefined
}

/** Smaller bodies are not counted against the budget. */
const smallBytes = 2 ** 20

/** Adds up to `maxBytes` to the body; returns whether there was more, and whether it was unwanted. */
async function fill(body: Collector, chunks: AsyncIterable<Uint8Array>, maxBytes: number, { wants, signal, until }: Partial<Reader>): Promise<Pick<Body, 'truncated' | 'unwanted'>> {
  let asked = wants === undefined
  for await (const chunk of chunks) {
    // Nobody waits for the rest. A source that is left between two chunks closes its connection; one that is cancelled while it waits may not.
    if (signal?.aborted === true || until?.aborted === true) return { truncated: true }
    const left = maxBytes - body.length()
    await body.add(chunk.byteLength > left ? chunk.subarray(0, left) : chunk)
    if (!asked && body.length() >= sampleBytes) {
      asked = true
      if (wants?.(body.start()) === false) return { truncated: false, unwanted: true }
    }
    if (chunk.byteLength > left) return { truncated: true }
  }
  return { truncated: false }
}

/**
 * Reads up to `maxBytes`, or as far as it comes in time, and leaves the rest unread. A large body is only read once the
 * room has memory for its maximum length; what it uses stays taken. Rejects with the source's error, and with the signal's
 * reason while it waits.
 */
export async function readBody(chunks: AsyncIterable<Uint8Array>, maxBytes: number, reader?: Reader): Promise<Body> {
  const body = collector(Math.min(maxBytes, reader?.length ?? maxBytes), reader)
  const { until } = reader ?? {}
  try {
    const filling = fill(body, chunks, maxBytes, reader ?? {})
    const how = until === undefined ? await filling : await untilAborted(filling, until).catch((error: unknown) => {
      if (!until.aborted && (body.length() === 0 || reader?.signal.aborted === true)) throw error
      return { truncated: true, late: true } as const // of its type
    })
    return { body: body.whole(), ...how }
  } catch (error) {
    body.drop()
    throw error
  }
}

interface Collector {
  length(): number
  /** What came so far. */
  start(): Uint8Array
  add(chunk: Uint8Array): Promise<void>
  whole(): Uint8Array
  /** Gives the memory back. */
  drop(): void
}

/**
 * Collects a small body in a buffer that grows, and a large one in a buffer of the full size: growing would take twice the
 * memory.
 */
function collector(mostBytes: number, reader: Reader | undefined): Collector {
  const small = new Gathered(Math.min(mostBytes, smallBytes))
  let length = 0
  let memory: Uint8Array | null = null

  async function enlarge(): Promise<Uint8Array> {
    await reader?.room?.take(mostBytes, reader.until === undefined ? reader.signal : anySignal(reader.signal, reader.until))
    memory = new Uint8Array(mostBytes)
    memory.set(small.bytes())
    return memory
  }

  return {
    length: () => length,
    start: () => memory?.subarray(0, length) ?? small.bytes(),
    async add(chunk) {
      const end = length + chunk.byteLength
      if (end > mostBytes) throw new ServiceError('SCRAPE_SITE_ERROR', 'The site sends more than it announced.')
      if (memory === null && end <= smallBytes) small.add(chunk)
      else (memory ?? (await enlarge())).set(chunk, length)
      length = end
    },
    whole() {
      if (memory === null) return small.whole()
      // Unwritten memory takes no space. A copy uses only what is needed, unless more than half of the buffer is in use.
      if (length > memory.length / 2) return memory.subarray(0, length)
      reader?.room?.give(memory.length - length)
      return memory.slice(0, length)
    },
    drop() {
      if (memory !== null) reader?.room?.give(memory.length)
    },
  }
}

/**
 * The length of the body according to its headers; null when they give the length of something else, or none that is
 * reliable.
 */
export function lengthOf(headers: HeaderList): number | null {
  const [length = '', ...more] = headerValues(headers, 'content-length')
  const certain = more.length === 0 && /^\d{1,15}$/.test(length) && !headers.some(([name]) => unmeasured.includes(name))
  return certain ? Number(length) : null
}

// With these headers, the length is not that of the bytes that are read.
const unmeasured = ['content-encoding', 'transfer-encoding']
