import type { Frame, Locator } from 'playwright-core'
import { sleep } from '../../lib/sleep.ts'
import { addressTest } from '../address-test.ts'
import { type Command, chosen, type Desk, done, element, Misuse, need, needText, numberOf, said, type Said } from './command.ts'

type Act = (locator: Locator, text: string, terms: Desk['terms']) => Promise<Said>

const doing = (act: (locator: Locator, terms: Desk['terms']) => Promise<unknown>): Act => async (locator, _text, terms) => {
  await act(locator, terms)
  return done
}

const typing = (act: (locator: Locator, text: string, terms: Desk['terms']) => Promise<unknown>): Act => async (locator, text, terms) => {
  await act(locator, text, terms)
  return done
}

/** Actions on a single element. */
const acts: Readonly<Record<string, Act>> = {
  click: doing((one, terms) => one.click(terms)),
  dblclick: doing((one, terms) => one.dblclick(terms)),
  hover: doing((one, terms) => one.hover(terms)),
  focus: doing((one, terms) => one.focus(terms)),
  check: doing((one, terms) => one.check(terms)),
  uncheck: doing((one, terms) => one.uncheck(terms)),
  scrollintoview: doing((one, terms) => one.scrollIntoViewIfNeeded(terms)),
  scrollinto: doing((one, terms) => one.scrollIntoViewIfNeeded(terms)),
  fill: typing((one, text, terms) => one.fill(text, terms)),
  type: typing((one, text, terms) => one.pressSequentially(text, terms)),
  press: typing((one, text, terms) => one.press(text, terms)),
  text: async (one, _text, terms) => said(await one.innerText(terms)),
}

/** Actions that need a text besides the element. */
const texted: ReadonlySet<string> = new Set(['fill', 'type', 'press'])

const acting = (name: string): Command => ({
  use: `${name} <element>${texted.has(name) ? ' <text>' : ''}`,
  most: texted.has(name) ? null : 1,
  async run(order, { frame, terms }) {
    const act = chosen(acts, name)
    if (act === undefined) throw new Misuse(`nothing is known of ${name}`)
    const one = await element(frame, need(order, 0, 'the element'))
    return act(one, texted.has(name) ? needText(order, 1, 'the text') : '', terms)
  },
})

const select: Command = {
  use: 'select <element> <value> …',
  most: null,
  async run(order, { frame, terms }) {
    need(order, 1, 'the value')
    await (await element(frame, need(order, 0, 'the element'))).selectOption(order.words.slice(1), terms)
    return done
  },
}

const drag: Command = {
  use: 'drag <element> <element>',
  most: 2,
  async run(order, { frame, terms }) {
    const [from, to] = [await element(frame, need(order, 0, 'the element')), await element(frame, need(order, 1, 'where to'))]
    await from.dragTo(to, terms)
    return done
  },
}

const press: Command = {
  use: 'press <key>',
  most: 1,
  async run(order, { page }) {
    await page.keyboard.press(need(order, 0, 'the key'))
    return done
  },
}

const holding = (name: string, way: 'down' | 'up'): Command => ({
  use: `${name} <key>`,
  most: 1,
  async run(order, { page }) {
    await page.keyboard[way](need(order, 0, 'the key'))
    return done
  },
})

const keyboard: Command = {
  use: 'keyboard type|inserttext <text>',
  most: null,
  async run(order, { page }) {
    const how = need(order, 0, 'type or inserttext')
    const text = needText(order, 1, 'the text')
    if (how === 'type') await page.keyboard.type(text)
    else if (how === 'inserttext') await page.keyboard.insertText(text)
    else throw new Misuse('it is keyboard type or keyboard inserttext')
    return done
  },
}

const buttons: ReadonlySet<string> = new Set(['left', 'right', 'middle'])

const mouse: Command = {
  use: 'mouse move <x> <y> | mouse down|up [button] | mouse wheel <dy> [dx]',
  most: 3,
  async run(order, { page }) {
    const what = need(order, 0, 'move, down, up or wheel')
    const coordinate = (index: number, name: string): number => numberOf(need(order, index, name), name)
    const button = order.words[1] ?? 'left'
    if (what === 'move') await page.mouse.move(coordinate(1, 'x'), coordinate(2, 'y'))
    else if (what === 'wheel') await page.mouse.wheel(order.words[2] === undefined ? 0 : coordinate(2, 'dx'), coordinate(1, 'dy'))
    else if ((what === 'down' || what === 'up') && buttons.has(button)) await page.mouse[what]({ button: button as 'left' | 'right' | 'middle' }) // one of the set
    else throw new Misuse('it is mouse move, down, up or wheel')
    return done
  },
}

/** The styles that matter to how an element looks. */
const styleNames = ['display', 'visibility', 'opacity', 'color', 'background-color', 'font-family', 'font-size', 'font-weight', 'line-height', 'text-align', 'margin', 'padding', 'border', 'border-radius', 'box-shadow', 'cursor'] as const

interface Styled {
  getComputedStyle(one: unknown): { getPropertyValue(name: string): string }
}

/** Runs in the page. */
const stylesOf = (one: unknown, names: readonly string[]): Readonly<Record<string, string>> => {
  const styles = (globalThis as unknown as Styled).getComputedStyle(one) // the page's
  return Object.fromEntries(names.map((name) => [name, styles.getPropertyValue(name)]))
}

/** The properties that `get` reads of an element. */
const told: Readonly<Record<string, (one: Locator, word: string | undefined, terms: Desk['terms']) => Promise<unknown>>> = {
  text: (one, _word, terms) => one.innerText(terms),
  html: (one, _word, terms) => one.innerHTML(terms),
  value: (one, _word, terms) => one.inputValue(terms),
  box: (one, _word, terms) => one.boundingBox(terms),
  styles: (one, _word, terms) => one.evaluate(stylesOf, styleNames, terms),
  attr: (one, word, terms) => {
    if (word === undefined) throw new Misuse('the name of the attribute is missing')
    return one.getAttribute(word, terms)
  },
}

const get: Command = {
  use: 'get title|url | get text|html|value|box|styles|count <element> | get attr <element> <name>',
  most: 3,
  async run(order, { frame, terms }) {
    const what = need(order, 0, 'what to get')
    if (what === 'title') return said(await frame.title())
    if (what === 'url') return said(frame.url())
    const tell = chosen(told, what)
    if (tell === undefined && what !== 'count') throw new Misuse(`it is title, url, text, html, value, attr, count, box or styles, not "${what}"`)
    const word = what === 'text' ? (order.words[1] ?? 'body') : need(order, 1, 'the element')
    if (tell === undefined) return said(await frame.locator(word).count())
    return said(await tell(await element(frame, word), order.words[2], terms))
  },
}

const states: Readonly<Record<string, (one: Locator, terms: Desk['terms']) => Promise<boolean>>> = {
  visible: (one) => one.isVisible(),
  enabled: (one, terms) => one.isEnabled(terms),
  checked: (one, terms) => one.isChecked(terms),
}

const is: Command = {
  use: 'is visible|enabled|checked <element>',
  most: 2,
  async run(order, { frame, terms }) {
    const state = chosen(states, need(order, 0, 'the state'))
    if (state === undefined) throw new Misuse('it is visible, enabled or checked')
    return said(await state(await element(frame, need(order, 1, 'the element')), terms))
  },
}

type Role = Parameters<Locator['getByRole']>[0]

/** Ways to find an element without a selector. */
const finders: Readonly<Record<string, (within: Frame, value: string, terms: { readonly exact: boolean; readonly name: string | undefined }) => Locator>> = {
  role: (within, value, { exact, name }) => within.getByRole(value as Role, name === undefined ? {} : { name, exact }), // an unknown role finds nothing
  text: (within, value, { exact }) => within.getByText(value, { exact }),
  label: (within, value, { exact }) => within.getByLabel(value, { exact }),
  placeholder: (within, value, { exact }) => within.getByPlaceholder(value, { exact }),
  alt: (within, value, { exact }) => within.getByAltText(value, { exact }),
  title: (within, value, { exact }) => within.getByTitle(value, { exact }),
  testid: (within, value) => within.getByTestId(value),
  first: (within, value) => within.locator(value).first(),
  last: (within, value) => within.locator(value).last(),
}

const find: Command = {
  use: 'find role|text|label|placeholder|alt|title|testid|first|last <value> <action> [text] [--name <name>] [--exact] | find nth <n> <selector> <action> [text]',
  most: null,
  options: ['--name=', '--exact'],
  async run(order, { frame, terms }) {
    const how = need(order, 0, 'how to find')
    const nth = how === 'nth'
    const finder = chosen(finders, nth ? 'first' : how)
    if (finder === undefined) throw new Misuse(`nothing is found by "${how}"`)
    const value = need(order, nth ? 2 : 1, 'what to find')
    const rest = order.words.slice(nth ? 3 : 2)
    const name = rest[0] ?? 'click'
    const act = chosen(acts, name)
    if (act === undefined) throw new Misuse(`"${name}" cannot be done to what is found`)
    if (texted.has(name) && rest.length < 2) throw new Misuse('the text is missing')
    const found = finder(frame, value, { exact: order.options.has('--exact'), name: order.options.get('--name') })
    return act(nth ? frame.locator(value).nth(numberOf(need(order, 1, 'which'), 'which')) : found.first(), rest.slice(1).join(' '), terms)
  },
}

const loads: ReadonlySet<string> = new Set(['load', 'domcontentloaded', 'networkidle'])

const wait: Command = {
  use: 'wait <milliseconds> | wait <element> [--state visible|hidden|attached|detached] | wait --text <text> | wait --url <pattern> | wait --load load|domcontentloaded|networkidle | wait --fn <javascript> | wait … --timeout <milliseconds>',
  most: 1,
  options: ['--timeout=', '--text=', '-t=', '--url=', '-u=', '--load=', '-l=', '--fn=', '-f=', '--state='],
  async run(order, { frame, left, terms: usual }) {
    const limit = order.options.get('--timeout')
    const terms = limit === undefined ? usual : { ...usual, timeout: Math.max(1, Math.min(numberOf(limit, '--timeout'), left)) }
    const option = (...names: readonly string[]): string | undefined => names.map((name) => order.options.get(name)).find((value) => value !== undefined)
    const [text, url, load, fn] = [option('--text', '-t'), option('--url', '-u'), option('--load', '-l'), option('--fn', '-f')]
    if ([text, url, load, fn, order.words[0]].filter((one) => one !== undefined).length > 1) throw new Misuse('it waits for one thing at a time')
    if (load !== undefined && !loads.has(load)) throw new Misuse('--load takes load, domcontentloaded or networkidle')
    if (text !== undefined) await frame.getByText(text).first().waitFor(terms)
    else if (url !== undefined) await frame.waitForURL(addressTest(url), terms)
    else if (load !== undefined) await frame.waitForLoadState(load as 'load', terms) // one of the set
    else if (fn !== undefined) await frame.waitForFunction(fn, undefined, terms)
    else await waitFor(order, { frame, terms })
    return done
  },
}

const elementStates: ReadonlySet<string> = new Set(['visible', 'hidden', 'attached', 'detached'])

async function waitFor(order: Parameters<Command['run']>[0], { frame, terms }: Pick<Desk, 'frame' | 'terms'>): Promise<void> {
  const what = need(order, 0, 'what to wait for')
  const state = order.options.get('--state') ?? 'visible'
  if (!elementStates.has(state)) throw new Misuse('--state takes visible, hidden, attached or detached')
  if (/^\d+$/.test(what)) return sleep(Number(what), terms.signal)
  await (await element(frame, what)).waitFor({ ...terms, state: state as 'visible' }) // one of the set
}

/** Commands for elements. */
export const elementCommands = {
  ...Object.fromEntries(['click', 'dblclick', 'hover', 'focus', 'check', 'uncheck', 'scrollintoview', 'scrollinto', 'fill', 'type'].map((name) => [name, acting(name)])),
  select,
  drag,
  press,
  key: press,
  keydown: holding('keydown', 'down'),
  keyup: holding('keyup', 'up'),
  keyboard,
  mouse,
  get,
  is,
  find,
  wait,
} satisfies Readonly<Record<string, Command>>
