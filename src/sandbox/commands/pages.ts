import type { Page, Response } from 'playwright-core'
import { pageHtml } from '../../browser/index.ts'
import { type Command, chosen, type Desk, done, downloadsRefused, FileCame, Misuse, need, needText, numberOf, said, type Said } from './command.ts'
import { element } from './command.ts'
import { jsonShape } from '../../lib/json-shape.ts'
import { webUrlOf } from '../../lib/url-of.ts'

/** An address that pages may have. Throws `Misuse` for files and for pages of the browser itself. */
function addressOf(word: string): string {
  const text = /^[a-z][a-z0-9+.-]*:(?!\d)/i.test(word) ? word : `https://${word}`
  if (text === 'about:blank') return text
  if (webUrlOf(text) === null) throw new Misuse(`"${word}" is no address of a web page`)
  return text
}

const refused = (): Error => new Error('This service may not reach that address.')

/** Says where a page is. */
async function arrived(page: Page): Promise<Said> {
  const [title, url] = [await page.title(), page.url()]
  return { text: `✓ ${title}\n  ${url}`, data: { title, url } }
}

/** Opens an address in a page. */
async function went(page: Page, address: string, terms: Desk['terms']): Promise<Said> {
  await page.goto(address, { ...terms, waitUntil: 'load' }).catch((error: unknown) => {
    if (String(error).includes('ERR_BLOCKED_BY_CLIENT')) throw refused()
    if (String(error).includes('Download is starting')) throw new FileCame(`That address leads to a file, and ${downloadsRefused}`)
    throw error
  })
  return arrived(page)
}

const open: Command = {
  use: 'open <url>',
  most: 1,
  async run(order, { page, enter, terms }) {
    enter(null)
    return went(page, addressOf(need(order, 0, 'the address')), terms)
  },
}

const moved = (use: string, move: (page: Page, terms: Desk['terms']) => Promise<Response | null>): Command => ({
  use,
  most: 0,
  async run(_order, { page, enter, terms }) {
    enter(null)
    await move(page, terms)
    return arrived(page)
  },
})

/** Lines of a snapshot with an interactive element. */
const interactive = /^\s*- '?(?:button|link|textbox|searchbox|checkbox|radio|combobox|listbox|option|menuitem\w*|tab|switch|slider|spinbutton|treeitem)\b.*\[ref=/
const bare = /^\s*- generic(?: \[[^\]]*\])*:?$/

const snapshot: Command = {
  use: 'snapshot [-i] [-c] [-d <depth>] [-s <selector>]',
  most: 0,
  options: ['-i', '--interactive', '-c', '--compact', '-d=', '--depth=', '-s=', '--selector='],
  async run({ options }, { page, frame, terms }) {
    const depth = options.get('-d') ?? options.get('--depth')
    const scope = options.get('-s') ?? options.get('--selector') ?? (frame === page.mainFrame() ? undefined : 'body')
    const how = { ...terms, mode: 'ai' as const, ...(depth === undefined ? {} : { depth: numberOf(depth, 'the depth') }) }
    const whole = scope === undefined ? await page.ariaSnapshot(how) : await (await element(frame, scope)).ariaSnapshot(how)
    const lines = whole.split('\n')
    if (options.has('-i') || options.has('--interactive')) return said(lines.filter((line) => interactive.test(line)).map((line) => line.trim().replace(/:$/, '')).join('\n') || '(no interactive elements)')
    return said(options.has('-c') || options.has('--compact') ? lines.filter((line) => !bare.test(line)).join('\n') : whole)
  },
}

const cutMark = '[The page is larger than what is read, or could not be read completely; a part of it is missing.]'

const scrape: Command = {
  use: 'scrape',
  most: 0,
  async run(_order, { page, read, terms: { timeout, signal } }) {
    if (read === undefined) throw new Misuse('pages are not made markdown here; get text body prints the text')
    const taken = await pageHtml(page, timeout, { signal })
    const text = (await read(taken, { timeoutMs: timeout, signal })).trimEnd()
    return said(taken.cut ? `${text}\n\n${cutMark}` : text)
  },
}

const longestPicture = 700 * 1024

const screenshot: Command = {
  use: 'screenshot [--full]',
  most: 1,
  options: ['--full', '-f'],
  async run({ words, options }, { page, terms }) {
    if (words.length > 0) throw new Misuse('files are not kept: without a path, the picture is printed as a data URL')
    const how = { ...terms, fullPage: options.has('--full') || options.has('-f') }
    const png = await page.screenshot({ ...how, type: 'png' })
    if (png.length <= longestPicture) return said(`data:image/png;base64,${png.toString('base64')}`)
    const jpeg = await page.screenshot({ ...how, type: 'jpeg', quality: 60 })
    if (jpeg.length > longestPicture) throw new Misuse('the picture is too large to be printed')
    return said(`data:image/jpeg;base64,${jpeg.toString('base64')}`)
  },
}

/** Most characters that lines and their indentation may add to a printed value. */
const mostIndentation = 1024 ** 2

/** A value as JSON: in lines, unless it nests so deep that most of the text would be blanks. */
function printed(value: unknown): string {
  if (value === undefined) return 'undefined'
  const text = JSON.stringify(value)
  const { depth, values } = jsonShape(Buffer.from(text))
  return 2 * depth * values > mostIndentation ? text : JSON.stringify(value, null, 2)
}

const evaluate: Command = {
  use: 'eval <javascript> | eval -b <base64> | eval --stdin',
  most: null,
  options: ['--stdin', '-b=', '--base64='],
  async run(order, { frame }) {
    const encoded = order.options.get('-b') ?? order.options.get('--base64')
    const code = order.options.has('--stdin') ? (order.input ?? '') : encoded === undefined ? needText(order, 0, 'the JavaScript') : Buffer.from(encoded, 'base64').toString('utf8')
    const value: unknown = await frame.evaluate(code)
    return { text: printed(value), data: value ?? null }
  },
}

const sides: Readonly<Record<string, readonly [number, number]>> = { up: [0, -1], down: [0, 1], left: [-1, 0], right: [1, 0] }

const scroll: Command = {
  use: 'scroll up|down|left|right [pixels]',
  most: 2,
  async run(order, { frame }) {
    const side = chosen(sides, need(order, 0, 'the direction'))
    if (side === undefined) throw new Misuse('the direction must be up, down, left or right')
    const pixels = numberOf(order.words[1] ?? '300', 'the distance')
    await frame.evaluate(`scrollBy(${side[0] * pixels}, ${side[1] * pixels})`)
    return done
  },
}

async function tabList(page: Page): Promise<Said> {
  const all = page.context().pages()
  const rows = await Promise.all(all.map(async (one, i) => ({ index: i, title: await one.title(), url: one.url(), active: one === page })))
  return { text: rows.map(({ index, title, url, active }) => `${active ? '→' : ' '} [${index}] ${title} - ${url}`).join('\n'), data: rows }
}

const frame: Command = {
  use: 'frame <element> | frame main',
  most: 1,
  async run(order, { page, frame: within, enter, terms }) {
    const word = need(order, 0, 'the frame')
    const one = word === 'main' ? page.mainFrame() : await (await (await element(within, word)).elementHandle(terms))?.contentFrame()
    if (!one) throw new Misuse(`${word} is no frame`)
    enter(one)
    return done
  },
}

const tab: Command = {
  use: 'tab [list] | tab new [url] | tab <n> | tab close [n]',
  most: 2,
  async run(order, { page, choose, terms }) {
    const [what = 'list', which] = order.words
    const all = page.context().pages()
    const numbered = (word: string): Page => {
      const one = all[numberOf(word, 'the tab')]
      if (one === undefined) throw new Misuse(`there is no tab ${word}`)
      return one
    }
    if (what === 'list') return tabList(page)
    if (what === 'close') {
      if (all.length === 1) throw new Misuse('the last tab stays open')
      const one = which === undefined ? page : numbered(which)
      await one.close()
      return done
    }
    const one = what === 'new' ? await page.context().newPage() : numbered(what)
    choose(one)
    return what === 'new' && which !== undefined ? went(one, addressOf(which), terms) : arrived(one)
  },
}

/** Commands for a whole page or its tabs. */
export const pageCommands = {
  open,
  goto: open,
  navigate: open,
  back: moved('back', (page, terms) => page.goBack(terms)),
  forward: moved('forward', (page, terms) => page.goForward(terms)),
  reload: moved('reload', (page, terms) => page.reload(terms)),
  snapshot,
  scrape,
  screenshot,
  eval: evaluate,
  scroll,
  frame,
  tab,
} satisfies Readonly<Record<string, Command>>
