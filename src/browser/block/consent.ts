import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { anySignal } from '../../lib/any-signal.ts'
import { sleep } from '../../lib/sleep.ts'
import type { Session } from '../protocol/page-session.ts'

/** A page with a script world in which the dialog rules can run. */
interface ConsentPage {
  readonly cdp: Session
  readonly world: { evaluate<T>(expression: string, limitMs: number): Promise<T>; context(): Promise<number> }
}

/** The rules and the script that follows them, as their package ships them; loaded for the first dialog. */
let material: Promise<{ readonly script: string; readonly rules: string }> | null = null

/** Loads the material once; tries again after a failure. */
function consentMaterial(): NonNullable<typeof material> {
  material ??= load().catch((error: unknown) => {
    material = null
    throw error
  })
  return material
}

async function load(): Promise<{ readonly script: string; readonly rules: string }> {
  const require = createRequire(import.meta.url)
  const [script, rules] = await Promise.all([
    // The package exports its rules and the library; the script for drivers is beside the library.
    readFile(new URL('./autoconsent.playwright.js', `file://${require.resolve('@duckduckgo/autoconsent')}`), 'utf8'),
    readFile(require.resolve('@duckduckgo/autoconsent/rules/rules.json'), 'utf8'),
  ])
  return { script, rules }
}

const binding = '__consent'

const config = {
  enabled: true, autoAction: 'optOut', disabledCmps: [], enablePrehide: false, enableCosmeticRules: true, enableGeneratedRules: true, detectRetries: 3, isMainWorld: false,
  prehideTimeout: 2_000, enableHeuristicDetection: true, enablePopupMutationObserver: false, visualTest: false, performanceLoggingEnabled: false, heuristicPopupSearchTimeout: 100, heuristicMode: 'reject',
  logs: { lifecycle: false, rulesteps: false, detectionsteps: false, evals: false, errors: false, messages: false, waits: false },
}

/** Runs in the isolated world. */
const signs = `(() => {
  let count = 0
  const list = Document.prototype.querySelectorAll.call(document, '[id*="onetrust" i], [id*="cookiebot" i], [id*="didomi" i], [id*="usercentrics" i], [id*="consent" i], [class*="consent" i], [id*="cookie" i], [class*="cookie" i], [id*="gdpr" i], [class*="gdpr" i], [id^="sp_message"], [class*="truste" i], [id*="privacy" i][role="dialog"], [aria-label*="cookie" i], [aria-label*="consent" i], [class*="cmp-" i], [id^="cmp" i]')
  for (let i = 0; i < list.length && i < 60; i++) {
    const box = Element.prototype.getBoundingClientRect.call(list[i])
    if (box.width > 100 && box.height > 30 && !['body', 'html'].includes(Reflect.get(Element.prototype, 'localName', list[i]))) count++
  }
  return count
})()`

interface Message {
  readonly type: string
  readonly id?: string
  readonly code?: string
  readonly result?: boolean
}

/** How many elements that a visitor sees on a page look like a cookie dialog or a part of one; of long lists only the beginning counts. */
export const dialogSigns = ({ world }: Pick<ConsentPage, 'world'>, limitMs: number): Promise<number> => world.evaluate<number>(signs, limitMs)

/**
 * Rejects cookies in the dialog over a page, by a maintained collection of rules that is bundled and works offline, within
 * `limitMs`. Returns whether a dialog was handled: it may stay all the same.
 */
export async function dismissConsent({ cdp, world }: ConsentPage, limitMs: number, signal: AbortSignal): Promise<boolean> {
  const { script, rules } = await consentMaterial()
  const contextId = await world.context()
  const finished = new Promise<boolean>((resolve) => {
    cdp.on('Runtime.bindingCalled', ({ name, payload, executionContextId }) => {
      if (name !== binding || executionContextId !== contextId) return
      answer(cdp, contextId, { message: JSON.parse(payload) as Message, rules }).then((done) => done !== null && resolve(done), () => resolve(false)) // the messages of our own script
    })
  })
  await cdp.send('Runtime.addBinding', { name: binding, executionContextName: 'w' })
  // The script sends its messages to this function; answers go through the function that it defines.
  const bridge = `globalThis.autoconsentSendMessage = (message) => { globalThis.${binding}(JSON.stringify(message)); return Promise.resolve() };`
  const stop = new AbortController()
  const late = sleep(limitMs, anySignal(signal, stop.signal)).then(() => false)
  late.catch(() => {})
  try {
    await world.evaluate(`${bridge}\n${script}\n;0`, limitMs)
    return await Promise.race([finished, late])
  } finally {
    stop.abort()
  }
}

/** Answers a message of the script; null while it continues. */
async function answer(cdp: Session, contextId: number, { message, rules }: { readonly message: Message; readonly rules: string }): Promise<boolean | null> {
  const tell = (text: string): Promise<unknown> => cdp.send('Runtime.evaluate', { contextId, expression: `void globalThis.autoconsentReceiveMessage(${text})` })
  switch (message.type) {
    case 'init':
      await tell(`{ type: 'initResp', config: ${JSON.stringify(config)}, rules: { autoconsent: ${autoconsentOf(rules)} } }`)
      return null
    case 'eval': {
      // Rules may read variables of the page.
      const { result, exceptionDetails } = await cdp.send('Runtime.evaluate', { expression: message.code ?? 'false', returnByValue: true, awaitPromise: true })
      await tell(JSON.stringify({ type: 'evalResp', id: message.id, result: exceptionDetails === undefined && result.value === true }))
      return null
    }
    case 'autoconsentDone':
      return true
    case 'optOutResult':
      return message.result === false ? false : null
    default:
      return null
  }
}

/** The list in the file as source text: it goes to the page without being parsed here. */
function autoconsentOf(rules: string): string {
  return `(${rules}).autoconsent`
}
