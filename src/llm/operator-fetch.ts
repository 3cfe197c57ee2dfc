import { jsonShape } from '../lib/json-shape.ts'
import { AnswerTooLong, type OperatorHttp } from '../net/index.ts'

/** Longest answer of a model, in bytes. */
const maxAnswerBytes = 4 * 1024 * 1024
/** How deep an answer nests and how many values it has at most, around the model's text: the libraries check each of them, and hold up everybody else. */
const mostOf = { depth: 64, values: 10_000 }

const isHeavy = (body: Uint8Array): boolean => {
  const { depth, values } = jsonShape(body)
  return depth > mostOf.depth || values > mostOf.values
}

/** The signature of `fetch` that model libraries expect. */
export type ModelFetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>

function bodyOf(body: RequestInit['body']): Uint8Array | null {
  if (body === undefined || body === null) return null
  if (typeof body !== 'string') throw new Error('a model request with a body that is no text')
  return Buffer.from(body)
}

/** A `fetch` for model libraries whose requests can only go to the operator's endpoint. */
export function operatorFetch(http: OperatorHttp): ModelFetch {
  return async (input, init = {}) => {
    const url = new URL(input instanceof Request ? input.url : input)
    const headers = [...new Headers(init.headers)].filter(([name]) => name !== 'host' && name !== 'content-length')
    const method = init.method === 'POST' ? 'POST' : 'GET'
    const answer = await http.send({ method, url, headers, body: bodyOf(init.body), maxBytes: maxAnswerBytes, signal: init.signal ?? new AbortController().signal })
    // What is said with an error is cut, not read as JSON of any size.
    if (answer.status < 300 && isHeavy(answer.body)) throw new AnswerTooLong()
    // `Response` rejects a body with these statuses.
    const bodiless = answer.status === 204 || answer.status === 205 || answer.status === 304
    return new Response(bodiless ? null : new Uint8Array(answer.body), { status: answer.status, headers: answer.headers.map(([name, value]) => [name, value]) })
  }
}
