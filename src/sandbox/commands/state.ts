import type { BrowserContext, Frame, Page } from 'playwright-core'
import { type Command, chosen, done, Misuse, need, needText, numberOf, type Order, said, type Said } from './command.ts'

type Cookie = Parameters<BrowserContext['addCookies']>[0][number]

const sameSites: Readonly<Record<string, NonNullable<Cookie['sameSite']>>> = { strict: 'Strict', lax: 'Lax', none: 'None' }

/** The cookie of a command; without an address or domain it is one of the page. */
function cookieOf(order: Order, page: Page): Cookie {
  const option = (name: string): string | undefined => order.options.get(name)
  const [domain, sameSite, expires] = [option('--domain'), option('--sameSite'), option('--expires')]
  const policy = sameSite === undefined ? undefined : chosen(sameSites, sameSite.toLowerCase())
  if (sameSite !== undefined && policy === undefined) throw new Misuse('--sameSite takes Strict, Lax or None')
  return {
    name: need(order, 1, 'the name'),
    value: need(order, 2, 'the value'),
    // A cookie has an address, or a domain and a path.
    ...(domain === undefined ? { url: option('--url') ?? page.url() } : { domain, path: option('--path') ?? '/' }),
    httpOnly: order.options.has('--httpOnly'),
    secure: order.options.has('--secure'),
    ...(policy === undefined ? {} : { sameSite: policy }),
    ...(expires === undefined ? {} : { expires: numberOf(expires, '--expires') }),
  }
}

const cookies: Command = {
  use: 'cookies [get] | cookies set <name> <value> [--url <url>] [--domain <domain>] [--path <path>] [--httpOnly] [--secure] [--sameSite <policy>] [--expires <seconds>] | cookies clear',
  most: 3,
  options: ['--url=', '--domain=', '--path=', '--httpOnly', '--secure', '--sameSite=', '--expires='],
  async run(order, { page }) {
    const [what = 'get'] = order.words
    if (what !== 'set' && (order.words.length > 1 || [...order.options.keys()].some((name) => name !== '--json'))) throw new Misuse('only cookies set takes more')
    if (what === 'clear') await page.context().clearCookies()
    else if (what === 'set') await page.context().addCookies([cookieOf(order, page)])
    else if (what === 'get') {
      const all = await page.context().cookies(page.url())
      return { text: all.map(({ name, value }) => `${name}=${value}`).join('\n'), data: all }
    } else throw new Misuse('it is cookies get, set or clear')
    return done
  },
}

const areas: Readonly<Record<string, string>> = { local: 'localStorage', session: 'sessionStorage' }

/** The entries of a storage of the page, or of the site of a frame. */
async function stored(frame: Frame, area: string): Promise<Said> {
  // By their places: names such as 'length', which the storage itself has, are not among its properties.
  const entries: readonly (readonly [string, string])[] = await frame.evaluate(`(() => {
    const all = []
    for (let at = 0; at < ${area}.length; at++) all[at] = [${area}.key(at), ${area}.getItem(${area}.key(at))]
    return all
  })()`)
  const all = Object.fromEntries(entries)
  return { text: Object.entries(all).map(([name, value]) => `${name}: ${value}`).join('\n'), data: all }
}

const storage: Command = {
  use: 'storage local|session | storage local|session [get] <key> | storage local|session set <key> <value> | storage local|session clear',
  most: null,
  async run(order, { frame }) {
    const area = chosen(areas, need(order, 0, 'local or session'))
    if (area === undefined) throw new Misuse('it is storage local or storage session')
    const [, what, key] = order.words
    const act = (script: string, value?: string): Promise<string | null> => frame.evaluate(`${area}.${script}(${[key, value].filter((one) => one !== undefined).map((one) => JSON.stringify(one)).join(', ')})`)
    if (what === undefined || (what === 'get' && key === undefined)) return stored(frame, area)
    if (what === 'set') await act('setItem', needText(order, 3, 'the value'))
    else if (what === 'clear') await frame.evaluate(`${area}.clear()`)
    else return said(await frame.evaluate(`${area}.getItem(${JSON.stringify(what === 'get' ? key : what)})`))
    return done
  },
}

/** Commands for what a page keeps. */
export const stateCommands = { cookies, storage } satisfies Readonly<Record<string, Command>>
