import { jsonShape } from '../../lib/json-shape.ts'
import type { Session } from '../protocol/page-session.ts'
import { unreadError } from '../protocol/spoken.ts'
import { ActionError, type ActionHandler, calm, inTime, spend, type Stage } from './stage.ts'

/** Limit for a script, including what it waits for. */
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

/** Deepest nesting of a returned value: whoever writes the answer, or reads it, may be recursive. */
const deepest = 1_000
const tooDeep = `The value of the script nests deeper than ${deepest} levels.`
/** Most values and names of members in a returned value: millions, which fit into the bytes, would hold up everybody else. */
const mostValues = 500_000

/** Matches errors that mean that the page navigated before the script finished. */
const leftPage = /context was destroyed|navigated or closed|Cannot find context|Promise was collected/i

/** Runs a script in the page's own world. The result is the value of its last expression; promises are awaited. */
export const executeJavascript: ActionHandler<'executeJavascript'> = async ({ script }, stage) => {
  try {
    const result = await inTime(stage, run(script, stage), scriptMs)
    stage.results.javascriptReturns.push(result)
  } catch (error) {
    // Otherwise it would keep the page's thread busy for whoever comes next.
    if (error instanceof ActionError) stage.tab.cdp.send('Runtime.terminateExecution').catch(() => undefined)
    throw error
  }
  await calm(stage)
}

/** A character may take six bytes of a message. What goes with the value has room beside it. */
const mostBytes = (characters: number): number => 6 * characters + 100_000

async function run(script: string, stage: Stage): Promise<Stage['results']['javascriptReturns'][number]> {
  const cdp = stage.tab.cdp.within(mostBytes(stage.budget.bytes))
  try {
    // Only this mode allows `await` outside of functions together with a result; other scripts do not need its other
    // differences.
    const waits = /\bawait\b/.test(script)
    let outcome = await evaluated(cdp, script, waits)
    // Nothing of it has run yet.
    if (isRedeclared(outcome)) outcome = await evaluated(cdp, `{\n${script}\n}`, waits)
    if (isStrayReturn(outcome)) outcome = await evaluated(cdp, `(async () => {\n${script}\n})()`)
    if (outcome.exceptionDetails !== undefined) throw new ActionError(`The script failed: ${complaintOf(outcome.exceptionDetails)}`)
    return await returned(outcome.result, { cdp, stage })
  } catch (error) {
    if (error instanceof Error && error.message.includes(unreadError)) spend(stage, Number.POSITIVE_INFINITY)
    if (error instanceof Error && leftPage.test(error.message)) return { type: 'undefined', value: null }
    throw error
  }
}

/** `replMode`: evaluate like a console. */
async function evaluated(cdp: Pick<Session, 'send'>, expression: string, replMode = false): Promise<Outcome> {
  const outcome: Outcome = await cdp.send('Runtime.evaluate', { expression, awaitPromise: true, userGesture: true, objectGroup: 'actions', replMode })
  const { objectId, subtype } = outcome.result
  return replMode && subtype === 'promise' && objectId !== undefined ? cdp.send('Runtime.awaitPromise', { promiseObjectId: objectId }) : outcome
}

const isStrayReturn = ({ exceptionDetails }: Outcome): boolean => /^SyntaxError: (?:Illegal return statement|await is only valid)/.test(exceptionDetails?.exception?.description ?? '')

/** Whether the script redeclares a name of the page or an earlier script; inside a block it may do so. */
const isRedeclared = ({ exceptionDetails }: Outcome): boolean => /^SyntaxError: Identifier '.*' has already been declared/.test(exceptionDetails?.exception?.description ?? '')

function complaintOf({ text, exception }: NonNullable<Outcome['exceptionDetails']>): string {
  const said = exception?.description ?? (exception?.value === undefined ? text : String(exception.value))
  return (said.split('\n', 1)[0] ?? '').slice(0, 500)
}

/**
 * The value as JSON, if it is not longer than the rest of the budget. The page cannot fake the type and length of what JSON
 * returns.
 */
const asJson = 'function (most) { const text = JSON.stringify(this); return typeof text !== "string" ? undefined : text.length > most ? 0 : text }'

/** The value of a JSON text; undefined when it is none, as a page may have replaced what writes JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

async function returned(remote: Remote, { cdp, stage }: { readonly cdp: Pick<Session, 'send'>; readonly stage: Stage }): Promise<Stage['results']['javascriptReturns'][number]> {
  const { type, subtype, objectId, value } = remote
  if (subtype === 'null') return { type: 'null', value: null }
  if (objectId === undefined || type !== 'object') {
    spend(stage, (typeof value === 'string' ? value : (remote.unserializableValue ?? '')).length)
    if (type === 'bigint') return { type, value: (remote.unserializableValue ?? '').replace(/n$/, '') }
    return { type, value: type === 'string' || type === 'boolean' || (type === 'number' && remote.unserializableValue === undefined) ? value : remote.unserializableValue === '-0' ? 0 : null }
  }
  const { result, exceptionDetails } = (await cdp.send('Runtime.callFunctionOn', { objectId, functionDeclaration: asJson, arguments: [{ value: stage.budget.bytes }], returnByValue: true })) as Outcome // as the command answers
  const complaint = exceptionDetails === undefined ? '' : complaintOf(exceptionDetails)
  if (complaint.startsWith('RangeError: Maximum call stack')) throw new ActionError(tooDeep)
  // What is circular has no JSON, as an element of a page whose scripts keep their state in it: the script has done its work all the same.
  const text = exceptionDetails === undefined ? result.value : undefined
  if (text === 0 || complaint === 'RangeError: Invalid string length') spend(stage, Number.POSITIVE_INFINITY)
  if (typeof text !== 'string') return { type: 'object', value: null }
  spend(stage, text.length)
  const { depth, values, members } = jsonShape(Buffer.from(text))
  if (depth > deepest) throw new ActionError(tooDeep)
  if (values + members > mostValues) throw new ActionError(`The value of the script holds more than ${mostValues} values and names; it can return them as one text (JSON.stringify).`)
  const json = parsed(text)
  if (json === undefined) return { type: 'object', value: null }
  // Lists of elements count as arrays too, but are objects in JSON.
  return { type: subtype === 'array' && Array.isArray(json) ? 'array' : 'object', value: json }
}
