import type { CDPSession } from 'playwright-core'
import { ActionError, type ActionHandler, calm, inTime, spend, type Stage } from './stage.ts'

/** A script that waits for something longer than that waits in vain. */
const scriptMs = 30_000

interface Remote {
  readonly type: string
  readonly subtype?: string
  readonly value?: unknown
  readonly unserializableValue?: string
  readonly objectId?: string
  readonly description?: string
}

interface Outcome {
  readonly result: Remote
  readonly exceptionDetails?: { readonly text: string; readonly exception?: Remote }
}

/** The page went to another document before there was an answer. */
const leftPage = /context was destroyed|navigated or closed|Cannot find context|Promise was collected/i

/** Runs a script as one of the page's own; the value of its last expression is the result, promises awaited. */
export const executeJavascript: ActionHandler<'executeJavascript'> = async ({ script }, stage) => {
  try {
    const result = await inTime(stage, run(script, stage), scriptMs)
    stage.results.javascriptReturns.push(result)
  } catch (error) {
    // Or it would keep the page's thread from whoever comes next.
    if (error instanceof ActionError) stage.tab.cdp.send('Runtime.terminateExecution').catch(() => undefined)
    throw error
  }
  await calm(stage)
}

async function run(script: string, stage: Stage): Promise<Stage['results']['javascriptReturns'][number]> {
  const { cdp } = stage.tab
  try {
    // Only there `await` outside of functions leaves a script its value; what else is different there, no other script needs.
    const waits = /\bawait\b/.test(script)
    let outcome = await evaluated(cdp, script, waits)
    // Nothing of it has run yet.
    if (isRedeclared(outcome)) outcome = await evaluated(cdp, `{\n${script}\n}`, waits)
    if (isStrayReturn(outcome)) outcome = await evaluated(cdp, `(async () => {\n${script}\n})()`)
    if (outcome.exceptionDetails !== undefined) throw new ActionError(`The script failed: ${complaintOf(outcome.exceptionDetails)}`)
    return await returned(outcome.result, stage)
  } catch (error) {
    if (error instanceof Error && leftPage.test(error.message)) return { type: 'undefined', value: null }
    throw error
  }
}

/** `replMode`: as a console does. */
async function evaluated(cdp: CDPSession, expression: string, replMode = false): Promise<Outcome> {
  const outcome: Outcome = await cdp.send('Runtime.evaluate', { expression, awaitPromise: true, userGesture: true, objectGroup: 'actions', replMode })
  const { objectId, subtype } = outcome.result
  return replMode && subtype === 'promise' && objectId !== undefined ? cdp.send('Runtime.awaitPromise', { promiseObjectId: objectId }) : outcome
}

const isStrayReturn = ({ exceptionDetails }: Outcome): boolean => /^SyntaxError: (?:Illegal return statement|await is only valid)/.test(exceptionDetails?.exception?.description ?? '')

/** A name that the page, or a script before, has declared for all scripts; in a block it may be declared once more. */
const isRedeclared = ({ exceptionDetails }: Outcome): boolean => /^SyntaxError: Identifier '.*' has already been declared/.test(exceptionDetails?.exception?.description ?? '')

function complaintOf({ text, exception }: NonNullable<Outcome['exceptionDetails']>): string {
  const said = exception?.description ?? (exception?.value === undefined ? text : String(exception.value))
  return (said.split('\n', 1)[0] ?? '').slice(0, 500)
}

/** As JSON, if it is no longer than what is left. What JSON says of its type and length no page can make up. */
const asJson = 'function (most) { const text = JSON.stringify(this); return typeof text !== "string" ? undefined : text.length > most ? 0 : text }'

async function returned(remote: Remote, stage: Stage): Promise<Stage['results']['javascriptReturns'][number]> {
  const { type, subtype, objectId, value } = remote
  if (subtype === 'null') return { type: 'null', value: null }
  if (objectId === undefined || type !== 'object') {
    if (typeof value === 'string') spend(stage, value.length)
    if (type === 'bigint') return { type, value: (remote.unserializableValue ?? '').replace(/n$/, '') }
    return { type, value: type === 'string' || type === 'boolean' || (type === 'number' && remote.unserializableValue === undefined) ? value : remote.unserializableValue === '-0' ? 0 : null }
  }
  const { result, exceptionDetails } = (await stage.tab.cdp.send('Runtime.callFunctionOn', { objectId, functionDeclaration: asJson, arguments: [{ value: stage.budget.bytes }], returnByValue: true })) as Outcome // as the command answers
  if (exceptionDetails !== undefined) throw new ActionError(`The value of the script cannot be written as JSON: ${complaintOf(exceptionDetails)}`)
  const text = result.value
  if (text === 0) spend(stage, Number.POSITIVE_INFINITY)
  if (typeof text === 'string') spend(stage, text.length)
  return { type: subtype === 'array' ? 'array' : 'object', value: typeof text === 'string' ? JSON.parse(text) : null }
}
