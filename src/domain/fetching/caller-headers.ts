export { framingHeaders } from '../../spec/headers.ts'

// These describe the client and are no secrets.
const describing: ReadonlySet<string> = new Set(['user-agent', 'accept', 'accept-language'])

/** Whether a header of the caller says only what the client is, so that any site may have it (R2). */
export const describesClient = (name: string): boolean => describing.has(name.toLowerCase())

/**
 * Whether what the caller sends to one address may also be sent to another: within its origin, and from http to https on the same host and default
 * ports, as what was sent in the clear may be sent encrypted.
 */
export function staysHome(from: URL, to: URL): boolean {
  const upgraded = from.protocol === 'http:' && to.protocol === 'https:' && from.hostname === to.hostname && from.port === '' && to.port === ''
  return to.origin === from.origin || upgraded
}
