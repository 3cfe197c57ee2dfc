import type { Locator, Page, Response } from 'playwright-core'
import { jsonShape } from '../lib/json-shape.ts'
import { addressTest } from './address-test.ts'

/** A request of code in the small interpreter. */
export interface Wish {
  readonly target: string
  readonly steps: readonly unknown[]
  readonly method: string
  readonly values: readonly unknown[]
}

/** The answer to it, passed inside as JSON. */
export interface Granted {
  readonly value?: unknown
  readonly url: string
}

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '))

const elementMethods = 'click dblclick hover focus fill type press check uncheck setChecked selectOption innerText innerHTML textContent inputValue getAttribute isVisible isHidden isEnabled isDisabled isChecked isEditable'

/** The methods that may be called, by the object they are called on. */
const allowed: Readonly<Record<string, ReadonlySet<string>>> = {
  page: words(`${elementMethods} goto reload goBack goForward title content setContent evaluate waitForTimeout waitForSelector waitForLoadState waitForURL waitForFunction bringToFront setViewportSize setDefaultTimeout ariaSnapshot screenshot`),
  locator: words(`${elementMethods} pressSequentially clear tap blur count allInnerTexts allTextContents boundingBox waitFor evaluate evaluateAll scrollIntoViewIfNeeded ariaSnapshot screenshot`),
  keyboard: words('press type insertText down up'),
  mouse: words('click dblclick move down up wheel'),
  context: words('cookies clearCookies'),
}
const steps = words('locator getByRole getByText getByLabel getByPlaceholder getByAltText getByTitle getByTestId first last nth filter or and')
/** Most arguments of methods that take scripts. */
const mostValues: Readonly<Record<string, number>> = { 'page.evaluate': 2, 'page.waitForFunction': 3, 'locator.evaluate': 3, 'locator.evaluateAll': 2 }
/** Methods whose result is a driver object, which stays here. */
const silent = words('waitForSelector waitForFunction')
/** Methods whose result is an answer of a site, of which only the facts go inside. */
const going = words('goto reload goBack goForward')

/** Methods whose answer is what the page says, at any length. */
const telling = words('title content evaluate evaluateAll innerText innerHTML textContent inputValue getAttribute allInnerTexts allTextContents ariaSnapshot screenshot cookies')

/** Whether the answer to a request may be long. */
export const isTelling = ({ method }: Wish): boolean => telling.has(method)

const maxSteps = 50
/** No run takes longer; a run that ends does not cancel its requests. */
const longestMs = 300_000
const maxText = 16 * 1024 ** 2
/** Options for repetitions and durations, and their allowed ranges. */
const bounds: Readonly<Record<string, readonly [number, number]>> = { timeout: [1, longestMs], delay: [0, 1_000], steps: [1, 1_000], clickCount: [1, 10] }
/** Methods that type a text key by key. */
const typing = words('type pressSequentially')
const maxTyped = 10_000
const openAddress = /^(?:https?:|data:|about:blank$)/i

/** Nesting and values of a request; `driven`: values of one without a script. */
const most = { depth: 100, values: 200_000, driven: 1_000 }
/** Methods with a script: their value is written into it. Others give theirs to the driver, which takes ten times as long for each. */
const scripted = words('evaluate evaluateAll waitForFunction')

class Refused extends Error {}

/** Reads a request of the code; throws when it would hold up this process. */
export function wishOf(text: string): Wish {
  const { depth, values } = jsonShape(Buffer.from(text))
  if (depth > most.depth) throw new Refused('A value is nested too deeply.')
  const tooMany = (limit: number): Refused => new Refused(`A call takes no more than ${limit} values here.`)
  if (values > most.values) throw tooMany(most.values)
  const wish = JSON.parse(text) as Wish // checked by `granted`
  if (values > most.driven && !scripted.has(wish.method)) throw tooMany(most.driven)
  return wish
}

type Values = readonly unknown[]

/** Converts a value of the code for the driver: data, patterns, locators and function texts, but no file names. */
function opened(page: Page, value: unknown, depth = 0): unknown {
  if (depth > 20) throw new Refused('A value is nested too deeply.')
  if (Array.isArray(value)) return value.map((one) => opened(page, one, depth + 1))
  if (typeof value !== 'object' || value === null) return value
  const pattern: unknown = Reflect.get(value, '__pattern')
  if (Array.isArray(pattern)) return new RegExp(String(pattern[0]), String(pattern[1]))
  const path: unknown = Reflect.get(value, '__steps')
  if (Array.isArray(path)) return located(page, path, depth + 1)
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, opened(page, one, depth + 1)]))
}

function within(name: string, value: unknown, [least, most]: readonly [number, number]): void {
  if (value !== undefined && !(typeof value === 'number' && value >= least && value <= most)) throw new Refused(`${name} must be a number from ${least} to ${most} here.`)
}

/** Whether a value is an allowed waiting time. */
export const isDuration = (value: unknown): value is number => typeof value === 'number' && value >= 1 && value <= longestMs

const optionsIn = (values: Values): readonly object[] => values.filter((value): value is object => typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof RegExp))

/** Checks the arguments of a method; throws when they ask for more than is allowed here. */
function checked(method: string, values: Values): Values {
  if (method === 'goto' && !openAddress.test(String(values[0]).trim())) throw new Refused('Only addresses of the web can be opened.')
  if (method === 'waitForTimeout') within('The time to wait', values[0], [0, longestMs])
  const options = optionsIn(values)
  for (const [name, range] of Object.entries(bounds)) for (const one of options) within(name, Reflect.get(one, name), range)
  if (typing.has(method)) typed(values.filter((value) => typeof value === 'string').map((text) => text.length), options)
  const names = options.some((one) => 'path' in one || 'mask' in one)
  if (method === 'screenshot' && names) throw new Refused('Files are not written: without a path, the picture is the result.')
  return values
}

function typed(lengths: readonly number[], options: readonly object[]): void {
  const length = Math.max(0, ...lengths)
  if (length > maxTyped) throw new Refused(`No more than ${maxTyped} characters are typed; fill takes longer texts.`)
  const delay: unknown = options.map((one): unknown => Reflect.get(one, 'delay')).find((one) => typeof one === 'number')
  if (typeof delay === 'number' && delay * length > longestMs) throw new Refused(`Typing this text with that delay takes longer than a run may (${longestMs / 1000} s).`)
}

/** A script for the page, as one expression: the driver only runs functions of ours. */
function expression(script: unknown, value: unknown): string {
  const code: unknown = typeof script === 'object' && script !== null ? Reflect.get(script, '__function') : null
  return typeof code === 'string' ? `(${code})(${value === undefined ? '' : JSON.stringify(value)})` : String(script)
}

async function waitForAddress(page: Page, wanted: unknown, options: unknown): Promise<void> {
  if (typeof wanted !== 'string' && !(wanted instanceof RegExp)) throw new Refused('An address or a pattern is needed here.')
  await page.waitForURL(addressTest(wanted), checked('waitForURL', [options])[0] as Parameters<Page['waitForURL']>[1]) // checked by the driver
}

const revived = '(_key, one) => (Array.isArray(one?.__pattern) ? new RegExp(...one.__pattern) : one)'

/** The same for one or all elements; the driver calls an object with the text of a function. */
function onElement(script: unknown, value: unknown): () => unknown {
  const code: unknown = typeof script === 'object' && script !== null ? Reflect.get(script, '__function') : null
  if (typeof code !== 'string') throw new Refused('A function is needed here.')
  const given = value === undefined ? 'undefined' : `JSON.parse(${JSON.stringify(JSON.stringify(value))}, ${revived})`
  const text = `(found) => (${code})(found, ${given})`
  return Object.assign((): unknown => null, { toString: () => text })
}

type Callable = Readonly<Record<string, (...values: Values) => unknown>>

const callable = (one: object): Callable => one as Callable // its methods are looked up in `allowed` first

function located(page: Page, path: Values, depth = 0): Locator {
  if (path.length > maxSteps) throw new Refused('That is too many steps.')
  let at: object = page
  for (const step of path) {
    const [method, values]: Values = Array.isArray(step) ? step : []
    if (typeof method !== 'string' || !steps.has(method) || !Array.isArray(values)) throw new Refused('There is no such step.')
    at = callable(at)[method]?.(...opened(page, values, depth) as Values) as object // the result of those methods
  }
  return at as Locator // steps only lead to those
}

const factsOf = (response: Response | null): unknown => response && { status: response.status(), statusText: response.statusText(), ok: response.ok(), url: response.url(), headers: response.headers() }

async function done(page: Page, { target, steps: path, method, values }: Wish): Promise<unknown> {
  const kind = target === 'page' && path.length > 0 ? 'locator' : target
  if (!Object.hasOwn(allowed, kind) || allowed[kind]?.has(method) !== true) throw new Refused(`${kind}.${method} is not available here.`)
  const [script, value, options] = values
  // Whoever receives the request stores it.
  if (kind === 'page' && method === 'setDefaultTimeout') return within('The default timeout', script, [1, longestMs])
  if (values.length > (mostValues[`${kind}.${method}`] ?? Infinity)) throw new Refused('Too many arguments. If you need to pass more than 1 argument to the function wrap them in an object.')
  if (kind === 'page' && method === 'evaluate') return page.evaluate(expression(script, value))
  if (kind === 'page' && method === 'waitForURL') return waitForAddress(page, opened(page, script), opened(page, value))
  if (kind === 'page' && method === 'waitForFunction') return page.waitForFunction(expression(script, value), undefined, checked(method, [opened(page, options)])[0] as Parameters<Page['waitForFunction']>[2]) // looked at by the driver
  if (kind === 'locator' && method === 'evaluate') return located(page, path).evaluate(onElement(script, value), undefined, checked(method, [opened(page, options)])[0] as Parameters<Locator['evaluate']>[2]) // looked at by the driver
  if (kind === 'locator' && method === 'evaluateAll') return located(page, path).evaluateAll(onElement(script, value))
  const one = kind === 'locator' ? located(page, path) : kind === 'page' ? page : kind === 'context' ? page.context() : kind === 'keyboard' ? page.keyboard : page.mouse
  const answer = await callable(one)[method]?.(...checked(method, opened(page, values) as Values)) // a list stays one
  if (going.has(method)) return factsOf(answer as Response | null) // what those methods answer
  return silent.has(method) ? undefined : Buffer.isBuffer(answer) ? answer.toString('base64') : answer
}

/** Carries out a request of code in the small interpreter, if it is allowed. Returns JSON; throws the reason otherwise. */
export async function granted(page: Page, wish: Wish): Promise<string> {
  const value = await done(page, wish)
  const answer: Granted = { value, url: page.url() }
  const text = JSON.stringify(answer, (_key, one: unknown) => (typeof one === 'number' && !Number.isFinite(one) ? { $number: String(one) } : one))
  if (text.length > maxText) throw new Refused('The answer is too long.')
  return text
}
