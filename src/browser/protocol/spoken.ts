import { jsonShape } from '../../lib/json-shape.ts'

/** A message of the protocol, in either direction. */
export interface Spoken {
  readonly id?: number
  readonly sessionId?: string
  readonly method?: string
  readonly params?: Readonly<Record<string, unknown>>
  readonly result?: unknown
  readonly error?: { readonly code?: number; readonly message: string }
}

/**
 * The result of a large answer as the browser wrote it. Pages decide how many values it holds: parsing and writing
 * millions of them for somebody who only passes it on would hold up everybody else.
 */
class Unread {
  readonly json: string
  constructor(json: string) {
    this.json = json
  }
}

const largeLength = 256 * 1024
const head = /^\{"id":(\d{1,10}),"result":(?=\{)/
// Without a session, the last two characters are the braces of the result and of the answer.
const tail = /(?<=\}),"sessionId":"([^"\\]{1,64})"\}$/
const tailLength = 100

/** Parses a message of the browser, except for the result of a large answer. */
export function heard(text: string): Spoken {
  const begin = text.length < largeLength ? null : head.exec(text)
  if (begin === null) return JSON.parse(text) as Spoken // the protocol only sends objects
  const end = tail.exec(text.slice(-tailLength))
  const result = new Unread(text.slice(begin[0].length, text.length - (end?.[0].length ?? 1)))
  return { id: Number(begin[1]), result, ...(end?.[1] === undefined ? {} : { sessionId: end[1] }) }
}

const answerHead = /^\{"id":(\d{1,10}),/
const sessionTail = /,"sessionId":"([^"\\]{1,64})"\}$/

/** The error of an answer that was not read, since it was longer than it may be. */
export const unreadError = 'The answer is longer than it may be'

/** The id of the command that a message with that beginning answers; null for an event. */
export function idIn(start: string): number | null {
  const id = answerHead.exec(start)?.[1]
  return id === undefined ? null : Number(id)
}

/** What takes the place of an answer that was not read, by its beginning and end; null for an event, which nobody waits for. */
export function unread(start: string, end: string): Spoken | null {
  const id = idIn(start)
  const sessionId = sessionTail.exec(end)?.[1]
  return id === null ? null : { id, ...(sessionId === undefined ? {} : { sessionId }), error: { code: -32_000, message: unreadError } }
}

/** The result itself, for somebody who reads it. */
export function readResult(result: unknown): unknown {
  return result instanceof Unread ? JSON.parse(result.json) : result
}

/** The message with its result parsed, for somebody who reads it. */
export function read(message: Spoken): Spoken {
  return message.result instanceof Unread ? { ...message, result: readResult(message.result) } : message
}

/** Most values and names of members in an answer to the driver, which takes 2 to 6 µs for each. */
const mostForDriver = 250_000

/** What the driver is told in place of an answer that would hold up everybody else. */
const tooMany = `The value holds more than ${mostForDriver} values and names of members; a script can return it as one text (JSON.stringify)`

/** The same as an exception of the script: of any other error, the driver says that the page was left. */
const thrown = { result: { type: 'undefined' }, exceptionDetails: { exceptionId: 0, text: 'Uncaught', lineNumber: 0, columnNumber: 0, exception: { type: 'object', subtype: 'error', description: `Error: ${tooMany}` } } }
/** How the results of scripts begin. */
const ofScript = '{"result":{'

/** The message with its result parsed, for the driver; an error where it holds more values than the driver may take time for. */
export function readForDriver(message: Spoken): Spoken {
  const { result, ...rest } = message
  if (!(result instanceof Unread)) return message
  const { values, members } = jsonShape(Buffer.from(result.json))
  if (values + members <= mostForDriver) return read(message)
  return result.json.startsWith(ofScript) ? { ...rest, result: thrown } : { ...rest, error: { code: -32_000, message: tooMany } }
}

/** A message as text. */
export function written({ result, ...rest }: Spoken): string {
  if (!(result instanceof Unread)) return JSON.stringify(result === undefined ? rest : { ...rest, result })
  return `${JSON.stringify(rest).slice(0, -1)},"result":${result.json}}`
}
