import type { SessionBrowser } from '../../src/browser/index.ts'
import type { CdpChannel } from '../../src/domain/sessions/sandbox.ts'

/** A response or event of the DevTools protocol; the fields that tests read. */
export interface Heard {
  readonly id?: number
  readonly method?: string
  readonly sessionId?: string
  // The types depend on the command; the test knows it.
  readonly params?: Readonly<Record<string, never>>
  readonly result?: Readonly<Record<string, never>>
  readonly error?: { readonly message: string }
}

/** A field of a response. */
export function part<T>(answer: Heard, name: string): T {
  return answer.result?.[name] as unknown as T // the caller knows the type
}

/** A client that speaks the raw protocol with a session. */
export interface BareClient {
  readonly line: CdpChannel
  /** All messages it has received. */
  readonly heard: string[]
  /** The protocol session of the page. */
  readonly page: string
  /** Sends a command and returns the response, even if it is an error. */
  ask(method: string, params?: object, sessionId?: string | null): Promise<Heard>
  /** The value of an expression in the page, as text. */
  evaluate(expression: string, contextId?: number): Promise<string>
  event(method: string): Promise<Heard>
}

/** Connects and attaches to the page of the session. */
export async function bareClient(session: SessionBrowser): Promise<BareClient> {
  await session.page()
  const line = await session.cdp.connect()
  const heard: string[] = []
  const answers = new Map<number, (message: Heard) => void>()
  const events: { readonly method: string; readonly resolve: (message: Heard) => void }[] = []
  let number = 0
  let page = ''
  line.onMessage((text) => {
    heard.push(text)
    const message = JSON.parse(text) as Heard
    if (message.id !== undefined) answers.get(message.id)?.(message)
    for (const [at, waiting] of events.entries()) if (waiting.method === message.method) events.splice(at, 1)[0]?.resolve(message)
  })
  const ask: BareClient['ask'] = (method, params = {}, sessionId = page) =>
    new Promise((resolve) => {
      answers.set(++number, resolve)
      line.send(JSON.stringify({ id: number, method, params, ...(sessionId === null || sessionId === '' ? {} : { sessionId }) }))
    })
  const targets = part<readonly { readonly targetId: string; readonly type: string }[]>(await ask('Target.getTargets', {}, null), 'targetInfos')
  const own = await ask('Target.attachToTarget', { targetId: targets.find(({ type }) => type === 'page')?.targetId, flatten: true }, null)
  page = String(own.result?.['sessionId'])
  return {
    line,
    heard,
    get page() {
      return page
    },
    ask,
    event: (method) => new Promise((resolve) => void events.push({ method, resolve })),
    async evaluate(expression, contextId) {
      const answer = await ask('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true, ...(contextId === undefined ? {} : { contextId }) })
      return JSON.stringify(answer.result ?? answer.error)
    },
  }
}
