import type { CDPSession } from 'playwright-core'
import type { Command } from '../wire.ts'

/** What workers are to say of their visitor. */
export interface WorkerTerms {
  readonly userAgent: string
  readonly languages: readonly string[]
  readonly platform: string
  readonly cores: number | undefined
}

/**
 * Tells each worker of the page what the page was told, where the line to the browser is not ours. The driver, which is told of workers
 * first, lets them go at once: one made from a `blob:` may run before it has heard.
 */
export async function dressWorkers(cdp: CDPSession, commands: readonly Command[]): Promise<void> {
  let id = 0
  cdp.on('Target.attachedToTarget', ({ sessionId }) => {
    for (const command of [...commands, { method: 'Runtime.runIfWaitingForDebugger', params: {} }]) {
      const message = JSON.stringify({ id: ++id, ...command })
      // A worker that ends meanwhile needs nothing any more.
      cdp.send('Target.sendMessageToTarget', { sessionId, message }).catch(() => {})
    }
  })
  await cdp.send('Target.setAutoAttach', { autoAttach: true, waitForDebuggerOnStart: true, flatten: false })
}

/** A script for a worker that says what the protocol cannot tell it: the platform, and in workers that several pages share the user agent. */
export function workerScript({ userAgent, languages, platform, cores }: WorkerTerms): string {
  return `(() => {
    const native = (name, f) => Object.defineProperty(f.bind(undefined), 'name', { value: 'get ' + name })
    const languages = Object.freeze(${JSON.stringify(languages)})
    const answers = { userAgent: ${JSON.stringify(userAgent)}, appVersion: ${JSON.stringify(userAgent.replace(/^Mozilla\//, ''))}, languages, language: languages[0], platform: ${JSON.stringify(platform)}${cores === undefined ? '' : `, hardwareConcurrency: ${cores}`} }
    for (const [name, value] of Object.entries(answers)) {
      if (String(navigator[name]) !== String(value)) Object.defineProperty(WorkerNavigator.prototype, name, { get: native(name, () => value), enumerable: true, configurable: true })
    }
  })()`
}
