import type { BrowserContext } from 'playwright-core'
import type { Order } from '../../domain/pages/capture.ts'
import { ServiceError } from '../../domain/errors.ts'

// The browser sets these itself, or gets them in another way.
const notSent: ReadonlySet<string> = new Set(['cookie', 'user-agent', 'host', 'connection', 'content-length', 'transfer-encoding', 'upgrade', 'te', 'trailer', 'keep-alive', 'expect', 'accept-encoding', 'proxy-authorization'])

/** The caller's headers that are added to requests. */
export function headersToSend(order: Order): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(order.headers).filter(([name]) => !notSent.has(name.toLowerCase())))
}

// Browsers take cookies with such names only for https.
const onlySecure = /^__(?:Secure|Host)-/i

/**
 * Puts the caller's cookies into the browser's store, which is where all come from that it sends: for every path of the
 * host. Throws `BAD_REQUEST` for one that no browser would take.
 */
export async function keepCookies(context: BrowserContext, { headers, url }: Order): Promise<void> {
  const header = Object.entries(headers).find(([name]) => name.toLowerCase() === 'cookie')?.[1] ?? ''
  const { protocol, host } = new URL(url)
  const cookies = header.split(/;\s*/).flatMap((pair) => {
    const at = pair.indexOf('=')
    const name = pair.slice(0, Math.max(0, at)).trim()
    return name === '' ? [] : [{ name, value: pair.slice(at + 1), url: `${onlySecure.test(name) ? 'https:' : protocol}//${host}/` }]
  })
  if (cookies.length === 0) return
  await context.addCookies(cookies).catch(async () => {
    // The driver does not say which.
    for (const cookie of cookies) {
      await context.addCookies([cookie]).catch((cause: unknown) => {
        throw new ServiceError('BAD_REQUEST', `headers: A browser takes no cookie like "${cookie.name.slice(0, 100)}" (its name, its size or its characters).`, { cause })
      })
    }
  })
}
