import { z } from 'zod'
import { headerName, headerValue } from '../lib/header-syntax.ts'
import { limits } from './limits.ts'

const longestName = 200

/** Headers of the connection, of the message's framing or of the address: no caller's to set. */
export const framingHeaders: ReadonlySet<string> = new Set([
  'host', 'connection', 'keep-alive', 'content-length', 'transfer-encoding', 'upgrade', 'te', 'trailer', 'expect', 'http2-settings',
  'proxy-authorization', 'proxy-authenticate', 'proxy-connection',
])

/** What is wrong with a header that a caller wants sent, where those are set by the service; null when nothing is. */
export function headerFault([name, value]: readonly [string, string], ours: ReadonlySet<string>): string | null {
  if (!headerName.test(name) || name.length > longestName) return 'Not the name of a header'
  if (ours.has(name.toLowerCase())) return `The header ${name} is set by the service`
  return headerValue.test(value) ? null : 'The value of a header must be one line of Latin-1 text'
}

/** Headers by their names, each once, as many as a request may have; what is in them is yet to be looked at. */
export const HeaderRecord = z
  .record(z.string(), z.string().max(16_384))
  .refine((headers) => Object.keys(headers).length <= limits.requestHeaders, `At most ${limits.requestHeaders} headers`)
  // Of two that differ in case alone, only one would be sent.
  .superRefine((headers, context) => {
    const seen = new Set<string>()
    for (const name of Object.keys(headers)) {
      if (seen.has(name.toLowerCase())) context.addIssue({ code: 'custom', path: [name], message: `The header ${name} is given twice` })
      seen.add(name.toLowerCase())
    }
  })

/** What all browsers send of these, and what is done anyway: it may stand in headers that were copied from one. */
const usual: Readonly<Record<string, string>> = { connection: 'keep-alive', te: 'trailers' }

/** Headers to be sent to a site. */
export const SiteHeaders = HeaderRecord.superRefine((headers, context) => {
  for (const header of Object.entries(headers)) {
    const fault = usual[header[0].toLowerCase()] === header[1].toLowerCase() ? null : headerFault(header, framingHeaders)
    if (fault !== null) context.addIssue({ code: 'custom', path: [header[0]], message: fault })
  }
})
