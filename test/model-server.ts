import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A request to the model server, independent of the API dialect. */
export interface ModelQuestion {
  readonly dialect: 'openai' | 'anthropic' | 'google'
  readonly path: string
  readonly model: string
  readonly system: string
  readonly prompt: string
  /** The requested JSON mode. */
  readonly format: 'json_schema' | 'json_object' | null
  readonly schema: unknown
  readonly authorization: string | undefined
  /** The whole request body. */
  readonly body: Readonly<Record<string, unknown>>
  /** 1 for the first request to this server. */
  readonly count: number
}

/** The reply of the model: text, the whole body of an answer, an error status, or silence until the client disconnects. */
export type ModelReply = string | { readonly body: string } | { readonly status: number; readonly error?: string; readonly headers?: Readonly<Record<string, string>> } | { readonly text: string; readonly finish: 'length' | 'filtered' } | 'silence'

export type ModelScript = (question: ModelQuestion) => ModelReply | Promise<ModelReply>

/** A scripted language model server on loopback, for OpenAI, Anthropic and Google clients. */
export interface ModelServer {
  readonly port: number
  /** Base URL for OpenAI-compatible clients; the others use the same. */
  readonly url: string
  readonly questions: readonly ModelQuestion[]
  /** Replaces the script. */
  answers(script: ModelScript): void
  close(): Promise<void>
}

/** Starts a model server with that script. */
export async function startModelServer(first: ModelScript = () => 'yes'): Promise<ModelServer> {
  const questions: ModelQuestion[] = []
  let script = first
  const server = createServer((request, response) => {
    void handle(request, response).catch(() => response.destroy())
  })
  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(Buffer.from(chunk))
    const question = questionOf(request, JSON.parse(Buffer.concat(chunks).toString()), questions.length + 1)
    questions.push(question)
    const reply = await script(question)
    if (reply === 'silence') return void request.socket.once('close', () => response.destroy())
    if (typeof reply === 'object' && 'status' in reply) {
      response.writeHead(reply.status, { 'content-type': 'application/json', ...reply.headers })
      return void response.end(JSON.stringify({ error: { message: reply.error ?? 'no', type: 'error' } }))
    }
    response.writeHead(200, { 'content-type': 'application/json' })
    if (typeof reply === 'object' && 'body' in reply) return void response.end(reply.body)
    response.end(JSON.stringify(answerOf(question, typeof reply === 'string' ? { text: reply, finish: 'stop' } : reply)))
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // a listening TCP server
  return {
    port,
    url: `http://127.0.0.1:${port}/v1`,
    questions,
    answers: (next) => void (script = next),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

// The request shapes of three providers; tests read only parts of them.
// eslint-disable-next-line @typescript-eslint/no-explicit-any
type Json = Record<string, any>

const textOf = (content: unknown): string => (typeof content === 'string' ? content : Array.isArray(content) ? content.map((part: Json) => part['text'] ?? '').join('') : '')

function questionOf(request: IncomingMessage, body: Json, count: number): ModelQuestion {
  const path = request.url ?? ''
  const common = { path, count, body }
  if (path.endsWith('/messages')) {
    const tool = body['tools']?.[0]
    return { ...common, dialect: 'anthropic', model: body['model'], system: textOf(body['system']), prompt: textOf(body['messages']?.at(-1)?.content), format: tool || body['output_config']?.format ? 'json_schema' : null, schema: tool?.input_schema ?? body['output_config']?.format?.schema, authorization: request.headers['x-api-key']?.toString() }
  }
  if (path.includes(':generateContent')) {
    const config: Json = body['generationConfig'] ?? {}
    const json = config['responseMimeType'] === 'application/json'
    return { ...common, dialect: 'google', model: /models\/([^:]+)/.exec(path)?.[1] ?? '', system: textOf(body['systemInstruction']?.parts), prompt: textOf(body['contents']?.at(-1)?.parts), format: json ? (config['responseSchema'] ? 'json_schema' : 'json_object') : null, schema: config['responseSchema'], authorization: request.headers['x-goog-api-key']?.toString() }
  }
  const messages: readonly Json[] = body['messages'] ?? []
  const said = (role: string): string => messages.filter((message) => message['role'] === role).map((message) => textOf(message['content'])).join('\n')
  return { ...common, dialect: 'openai', model: body['model'], system: said('system') || said('developer'), prompt: said('user'), format: body['response_format']?.type ?? null, schema: body['response_format']?.json_schema?.schema, authorization: request.headers.authorization }
}

/** How each provider names the reasons why an answer ends. */
const endings = {
  anthropic: { stop: 'end_turn', length: 'max_tokens', filtered: 'refusal' },
  google: { stop: 'STOP', length: 'MAX_TOKENS', filtered: 'SAFETY' },
  openai: { stop: 'stop', length: 'length', filtered: 'content_filter' },
} as const

function answerOf({ dialect, model }: ModelQuestion, { text, finish }: { readonly text: string; readonly finish: 'stop' | 'length' | 'filtered' }): Json {
  const why = endings[dialect][finish]
  if (dialect === 'anthropic') {
    const content = [{ type: 'text', text }]
    return { id: 'm', type: 'message', role: 'assistant', model, content, stop_reason: why, usage: { input_tokens: 10, output_tokens: 5 } }
  }
  if (dialect === 'google') return { candidates: [{ content: { role: 'model', parts: [{ text }] }, finishReason: why }], usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 5, totalTokenCount: 15 } }
  return { id: 'c', object: 'chat.completion', created: 1, model, choices: [{ index: 0, message: { role: 'assistant', content: text }, finish_reason: why }], usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 } }
}
