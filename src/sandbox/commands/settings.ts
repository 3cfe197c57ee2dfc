import { allowPosition } from '../../browser/index.ts'
import { type Command, chosen, type Desk, done, Misuse, need, numberOf, type Order, type Said } from './command.ts'
import { lineTo } from './lines.ts'

// A page with one of these would not load any more, or the browser would send its own.
const notSent: ReadonlySet<string> = new Set(['cookie', 'host', 'connection', 'content-length', 'transfer-encoding', 'upgrade', 'te', 'trailer', 'keep-alive', 'expect', 'accept-encoding', 'proxy-authorization'])

/** The headers of a JSON text. Throws `Misuse` for anything else. */
function headersOf(text: string): Readonly<Record<string, string>> {
  const misuse = new Misuse(`headers are an object of texts, as JSON in single quotes: '{"X-Name": "value"}'`)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw misuse
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value) || Object.values(value).some((one) => typeof one !== 'string')) throw misuse
  const wrong = Object.keys(value).find((name) => notSent.has(name.toLowerCase()) || !/^[\w!#$%&'*+.^`|~-]+$/.test(name))
  if (wrong !== undefined) throw new Misuse(`"${wrong}" cannot be set: ${wrong.toLowerCase() === 'cookie' ? 'use cookies set' : 'the browser sends its own, or takes no such name'}`)
  return value as Readonly<Record<string, string>> // looked at above
}

/** A number within limits. */
function within(order: Order, index: number, { what, least, most }: { readonly what: string; readonly least: number; readonly most: number }): number {
  const value = numberOf(need(order, index, what), what)
  if (value < least || value > most) throw new Misuse(`${what} is ${least} to ${most}`)
  return value
}

interface Setting {
  readonly use: string
  /** How many words it takes. */
  readonly most: number
  set(order: Order, desk: Desk): Promise<unknown>
}

const geo: Setting = {
  use: 'set geo <latitude> <longitude>',
  most: 2,
  async set(order, { page }) {
    const [latitude, longitude] = [within(order, 1, { what: 'the latitude', least: -90, most: 90 }), within(order, 2, { what: 'the longitude', least: -180, most: 180 })]
    const context = page.context()
    // What is allowed over a line ends with it.
    const line = await lineTo(page)
    await allowPosition(line, (await line.send('Target.getTargetInfo')).targetInfo.browserContextId)
    await context.setGeolocation({ latitude, longitude })
  },
}

/** What can be set. The viewport, headers and media are those of a tab, the others of the whole session. */
const settings: Readonly<Record<string, Setting>> = {
  viewport: {
    use: 'set viewport <width> <height>',
    most: 2,
    set: (order, { page }) => page.setViewportSize({ width: within(order, 1, { what: 'the width', least: 1, most: 10_000 }), height: within(order, 2, { what: 'the height', least: 1, most: 10_000 }) }),
  },
  media: {
    use: 'set media dark|light [reduced-motion]',
    most: 2,
    async set(order, { page }) {
      const [, scheme, motion] = order.words
      if (scheme !== 'dark' && scheme !== 'light') throw new Misuse('it is set media dark or light')
      if (motion !== undefined && motion !== 'reduced-motion') throw new Misuse('after the colours comes reduced-motion or nothing')
      await page.emulateMedia({ colorScheme: scheme, reducedMotion: motion === undefined ? null : 'reduce' })
    },
  },
  headers: {
    use: 'set headers <json>',
    most: 1,
    set: (order, { page }) => page.setExtraHTTPHeaders(headersOf(need(order, 1, 'the JSON'))),
  },
  offline: {
    use: 'set offline [on|off]',
    most: 1,
    async set(order, { page }) {
      const [, state = 'on'] = order.words
      if (state !== 'on' && state !== 'off') throw new Misuse('it is set offline on or off')
      await page.context().setOffline(state === 'on')
    },
  },
  geo,
  geolocation: geo,
}

const inAddress = 'names and passwords are given in the address: open https://name:password@host/'

/** What cannot be set here, and what there is instead. */
const elsewhere: Readonly<Record<string, string>> = {
  device: 'the device belongs to the session: one opened from a scrape with "mobile": true is a phone; set viewport changes the size',
  credentials: inAddress,
  auth: inAddress,
}

export const settingsCommand: Command = {
  use: [...new Set(Object.values(settings).map(({ use }) => use))].join(' | '),
  most: 3,
  async run(order, desk): Promise<Said> {
    const name = need(order, 0, 'what to set')
    const setting = chosen(settings, name)
    const why = chosen(elsewhere, name)
    if (why !== undefined) throw new Error(why)
    if (setting === undefined) throw new Misuse(`it is ${Object.keys(settings).join(', ')}, not "${name}"`)
    const extra = order.words[setting.most + 1]
    if (extra !== undefined) throw new Misuse(`"${extra}" is one word too many`)
    await setting.set(order, desk)
    return done
  },
}
