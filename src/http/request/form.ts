import { createHash } from 'node:crypto'
import { MIMEType } from 'node:util'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { ServiceError } from '../../domain/errors.ts'
import { telemetry } from '../../spec/common.ts'
import { limits } from '../../spec/limits.ts'
import { unsupportedOptions, withoutIdle } from '../../spec/parse.ts'
import type { Route } from '../../spec/routes.ts'
import { tolerate } from '../../spec/tolerate.ts'
import { parseJson } from './body.ts'
import type { HttpOptions, HttpPorts } from '../ports.ts'
import { received } from './receiving.ts'

/** A file that a caller has uploaded. */
export interface UploadedFile {
  readonly name: string
  /** The media type that the caller declares; may be empty. */
  readonly type: string
  readonly bytes: Uint8Array
}

/** The fields of a form. */
interface Form {
  readonly file: UploadedFile
  /** The JSON of the options, not yet parsed. */
  readonly options: Uint8Array
}

const bad = (message: string): ServiceError => new ServiceError('BAD_REQUEST', `Bad Request: ${message}`)
const tooLarge = (): ServiceError => bad('the file is larger than 50 MB')

/** A file name without folders and characters that a log or a header cannot carry. */
function nameOf(given: string): string {
  const last = given.split(/[\\/]/).at(-1) ?? ''
  // Cut first, since cutting may split a character.
  return last.slice(0, limits.fileNameLength).replace(/[\p{Cc}\p{Cs}]/gu, '').trim()
}

/** The maximum number of parts in a form: parsing more would block everybody. */
const maxParts = 20

/** Longest head of a part, for the same reason. */
const maxHeadBytes = 16 * 1024

/** The boundary as the parser of the form reads it; null without a valid one. */
function boundaryOf(type: string): string | null {
  try {
    return new MIMEType(type).params.get('boundary')
  } catch {
    return null
  }
}

/** What would make a form take long to parse; null if nothing does. */
function heavinessOf(bytes: Uint8Array, type: string): string | null {
  const boundary = boundaryOf(type)
  if (boundary === null) return null
  const line = Buffer.from(`--${boundary}`)
  const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  let parts = 0
  for (let at = body.indexOf(line); at >= 0; at = body.indexOf(line, at + line.length)) {
    if (++parts > maxParts) return 'the form has too many parts'
    const start = at + line.length
    const head = body.subarray(start, start + maxHeadBytes)
    if (head.length === maxHeadBytes && head.indexOf('\r\n') === 0 && !head.includes('\r\n\r\n')) return 'the head of a part of the form is too long'
  }
  return null
}

async function fieldsOf(bytes: Uint8Array<ArrayBuffer>, type: string): Promise<FormData> {
  const heaviness = heavinessOf(bytes, type)
  if (heaviness !== null) throw bad(heaviness)
  try {
    return await new Response(bytes, { headers: { 'content-type': type } }).formData()
  } catch (error) {
    throw new ServiceError('BAD_REQUEST', 'Bad Request: the body is no multipart form', { cause: error })
  }
}

/** The Python client names itself in a field of the form as well. */
const fields: ReadonlySet<string> = new Set(['file', 'options', ...Object.keys(telemetry)])

/** Parses a form with one `file` and optionally `options`. Throws `BAD_REQUEST` for any other. */
async function readForm(bytes: Uint8Array<ArrayBuffer>, type: string): Promise<Form> {
  const form = await fieldsOf(bytes, type)
  const names = [...form.keys()]
  const unknown = names.find((name) => !fields.has(name))
  if (unknown !== undefined) throw bad(`unknown field "${unknown.slice(0, 100)}" of the form; it may have file and options`)
  if (new Set(names).size < names.length) throw bad('the form has a field more than once')
  const [file, options] = [form.get('file'), form.get('options')]
  if (!(file instanceof File)) throw bad('the form has no file (field "file", with a file name)')
  if (options !== null && typeof options !== 'string') throw bad('options must be a field with JSON, not a file')
  const name = nameOf(file.name)
  if (name === '' || file.size === 0) throw bad(name === '' ? 'the file has no name' : 'the file is empty')
  if (file.size > limits.uploadBytes) throw tooLarge()
  return { file: { name, type: file.type, bytes: new Uint8Array(await file.arrayBuffer()) }, options: Buffer.from(options ?? '{}') }
}

/** The contents of a request. */
export interface Sent {
  readonly body: unknown
  readonly file: UploadedFile | undefined
  readonly warnings: readonly string[]
  /** The bytes that identify a repeat of the request. */
  identity(): Uint8Array
}

/** In a repeated form the boundary between the parts differs. */
const identityOf = ({ file: { name, type, bytes }, options }: Form): Uint8Array => createHash('sha256').update(JSON.stringify([name, type, Buffer.from(options).toString()])).update(bytes).digest()

/**
 * The contents of a request: its JSON validated against the schema, and the file of a form. Throws `BAD_REQUEST`,
 * `BAD_REQUEST_INVALID_JSON`, `PARSE_UNSUPPORTED_OPTIONS`.
 */
export async function sentWith(request: FastifyRequest, route: Route): Promise<Sent> {
  const bytes = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
  const identity = (): Uint8Array => bytes
  if (route.body === undefined) return { body: undefined, file: undefined, warnings: [], identity }
  // Where nothing has to be said, nothing may be sent; a form has a file in any case.
  if (bytes.length === 0 && route.upload !== true && route.body.safeParse({}).success) return { body: {}, file: undefined, warnings: [], identity }
  if (route.upload !== true) return { ...tolerate(parseJson(bytes), route.ignored), file: undefined, identity }
  const form = await readForm(new Uint8Array(bytes), request.headers['content-type'] ?? '')
  const { file, options } = form
  const told = tolerate(withoutIdle(parseJson(options, 'field `options`')), route.ignored)
  const refused = unsupportedOptions(told.body)
  if (refused.length > 0) throw new ServiceError('PARSE_UNSUPPORTED_OPTIONS', `A file that is sent along cannot have: ${refused.join(', ')}.`, { details: { options: refused } })
  return { ...told, file, identity: () => identityOf(form) }
}

/** Whether a request declares a form. */
export const isForm = ({ headers }: FastifyRequest): boolean => /^multipart\/form-data\b/i.test(headers['content-type'] ?? '')

/** Accepts forms, and only forms, for the routes mounted on `app`. */
export function takeForms(app: FastifyInstance, ports: HttpPorts, options: HttpOptions): void {
  const most = limits.uploadBytes + limits.formBytes
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('multipart/form-data', { parseAs: 'buffer', bodyLimit: most }, (_request, body, done) => done(null, body))
  app.addHook('preParsing', async (request, reply, payload) => {
    if (!isForm(request)) throw new ServiceError('UNSUPPORTED_MEDIA_TYPE', 'Send a form (multipart/form-data) with the field `file`, and what else is asked for as JSON in the field `options`.')
    const bytes = Number(request.headers['content-length'] ?? most)
    if (bytes > most) throw tooLarge()
    return received(payload, { bytes: most, beyond: tooLarge }, { request, reply, options }, ports)
  })
}
