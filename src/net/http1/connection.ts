import type { Socket } from 'node:net'
import { maxHeadBytes, maxInformational, siteFaults } from '../hop.ts'
import { AnswerBody } from './body.ts'
import { type Head, Malformed, readHead } from './head.ts'

const headEnd = '\r\n\r\n'
const otherLineEnd = /(?:^|[^\r])\n|\r[^\n]/
const switchingProtocols = 101

/** The connection ended before any of an answer arrived: the server may have closed an idle connection. */
export class Closed extends Error {}

/** An answer whose body is still to come. */
export interface Answer {
  readonly head: Head
  readonly body: AnswerBody
}

/** Is notified of what happens to a connection. */
export interface Keeper {
  /** The answer is complete, and the connection may be reused for that many milliseconds. */
  onFree(connection: Connection, ms: number): void
  onGone(connection: Connection): void
}

interface Asked {
  readonly resolve: (answer: Answer) => void
  readonly reject: (error: Error) => void
}

/** An HTTP/1.1 connection (RFC 9112) over a socket, for one request at a time. */
export class Connection {
  readonly #socket: Socket
  readonly #keeper: Keeper
  #asked: Asked | null = null
  #answer: Answer | null = null
  /** The part of a head that has arrived. */
  #part: Buffer | null = null
  #informational = 0

  constructor(socket: Socket, keeper: Keeper) {
    this.#socket = socket
    this.#keeper = keeper
    socket.on('data', (bytes: Buffer) => this.#take(bytes))
    socket.on('end', () => this.#end(new Closed(), null))
    socket.on('error', (error) => this.#end(new Closed(undefined, { cause: error })))
    socket.on('timeout', () => socket.destroy())
    socket.on('close', () => {
      this.#end(new Closed())
      keeper.onGone(this)
    })
  }

  /**
   * Sends a request, given as one character per byte. Rejects with `Closed`, `Malformed`, or the error given to `leave`.
   */
  ask(request: string): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#asked = { resolve, reject }
      this.#answer = null
      this.#informational = 0
      this.#socket.write(request, 'latin1')
    })
  }

  /** Closes the connection; whatever is under way fails with that error. */
  leave(error: Error = new Error('The answer is not wanted any more.')): void {
    this.#end(error)
    this.#socket.destroy()
  }

  /** Marks the connection as idle for at most `ms` milliseconds; 0 marks it as in use. */
  rest(ms: number): void {
    this.#socket.setTimeout(ms)
    if (ms > 0) this.#socket.unref()
    else this.#socket.ref()
  }

  #take(bytes: Buffer): void {
    const answer = this.#answer
    if (answer !== null) this.#takeBody(answer, bytes)
    else if (this.#asked === null) this.leave()
    else this.#takeHead(this.#part === null ? bytes : Buffer.concat([this.#part, bytes]), this.#asked)
  }

  #takeHead(bytes: Buffer, asked: Asked): void {
    const end = bytes.indexOf(headEnd, Math.max(0, (this.#part?.length ?? 0) - headEnd.length), 'latin1')
    this.#part = null
    if ((end < 0 ? bytes.length : end) > maxHeadBytes) return this.leave(siteFaults.head())
    if (end < 0) {
      // Otherwise the end of the head might never be recognised, however long one waits.
      if (!'HTTP/1.'.startsWith(bytes.toString('latin1', 0, 7)) || otherLineEnd.test(bytes.toString('latin1'))) return this.leave(new Malformed())
      this.#part = bytes
      return
    }
    let head: Head
    try {
      head = readHead(bytes.toString('latin1', 0, end))
    } catch (error) {
      return this.leave(error instanceof Error ? error : new Malformed())
    }
    const rest = bytes.subarray(end + headEnd.length)
    if (head.status >= 200) this.#begin(head, rest, asked)
    else if (head.status === switchingProtocols) this.leave(siteFaults.protocol())
    else if (++this.#informational > maxInformational) this.leave(siteFaults.informational())
    else if (rest.length > 0) this.#takeHead(rest, asked)
  }

  #begin(head: Head, rest: Buffer, { resolve }: Asked): void {
    const answer: Answer = { head, body: new AnswerBody(head.framing, { pause: () => this.#socket.pause(), resume: () => this.#socket.resume(), leave: () => this.leave() }) }
    this.#asked = null
    this.#answer = answer
    resolve(answer)
    this.#takeBody(answer, rest)
  }

  #takeBody({ head, body }: Answer, bytes: Buffer): void {
    const taken = body.complete ? 0 : body.take(bytes)
    if (!body.complete) {
      if (body.hasFailed) this.#socket.destroy()
      return
    }
    this.#answer = null
    // Bytes after the answer belong to no request.
    if (head.keptMs > 0 && taken === bytes.length && !this.#socket.destroyed) this.#keeper.onFree(this, head.keptMs)
    else this.#socket.destroy()
  }

  /**
   * Ends the connection: a waiting request fails with `error`, and an open body with `ofBody`, where null is a regular end.
   */
  #end(error: Error, ofBody: Error | null = error): void {
    const asked = this.#asked
    const answer = this.#answer
    this.#asked = null
    this.#answer = null
    this.#part = null
    asked?.reject(error)
    answer?.body.end(ofBody)
  }
}
