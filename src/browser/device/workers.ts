import type { CDPSession } from 'playwright-core'

/** What workers must be told apart: they take the rest from their page. */
export interface WorkerTerms {
  readonly languages: readonly string[]
  readonly platform: string
  readonly cores: number | undefined
}

/**
 * Tells each worker of the page what the page was told, while its script is on the way. The driver, which is told of workers first, lets
 * them go at once: a worker made from a `blob:` may run before it has heard.
 */
export async function dressWorkers(cdp: CDPSession, terms: WorkerTerms): Promise<void> {
  let id = 0
  cdp.on('Target.attachedToTarget', ({ sessionId }) => {
    const send = (method: string, params: object): void => {
      const message = JSON.stringify({ id: ++id, method, params })
      // A worker that ends meanwhile needs nothing any more.
      cdp.send('Target.sendMessageToTarget', { sessionId, message }).catch(() => {})
    }
    send('Runtime.evaluate', { expression: workerScript(terms) })
    send('Runtime.runIfWaitingForDebugger', {})
  })
  await cdp.send('Target.setAutoAttach', { autoAttach: true, waitForDebuggerOnStart: true, flatten: false })
}

function workerScript({ languages, platform, cores }: WorkerTerms): string {
  return `(() => {
    const native = (name, f) => Object.defineProperty(f.bind(undefined), 'name', { value: 'get ' + name })
    const languages = Object.freeze(${JSON.stringify(languages)})
    const answers = { languages, language: languages[0], platform: ${JSON.stringify(platform)}${cores === undefined ? '' : `, hardwareConcurrency: ${cores}`} }
    for (const [name, value] of Object.entries(answers)) Object.defineProperty(WorkerNavigator.prototype, name, { get: native(name, () => value), enumerable: true, configurable: true })
  })()`
}
