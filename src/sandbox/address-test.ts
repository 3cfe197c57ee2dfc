import { compilePatterns } from '../domain/urls/patterns.ts'
import { urlOf } from '../lib/url-of.ts'

const quoted = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`)

/**
 * Converts wildcards of the driver to a pattern: `**` for anything, `*` for anything without a slash, `{a,b}` for either.
 */
function sourceOf(glob: string): string {
  const parts = glob.split(/(\*\*|\*|\{[^{}]*\})/)
  const written = parts.map((part) => (part === '**' ? '.*' : part === '*' ? '[^/]*' : part.startsWith('{') && part.endsWith('}') ? `(?:${part.slice(1, -1).split(',').map(quoted).join('|')})` : quoted(part)))
  return `(?s)^${written.join('')}$`
}

/**
 * A test for the address that code of a session waits for: an address, one with wildcards, or a regular expression. The
 * driver would run the user's expression in this process, where it could take forever and block everybody else; an address
 * that takes too long to compare is not the one. Throws `BAD_REQUEST` for an invalid pattern.
 */
export function addressTest(wanted: string | RegExp): (url: URL) => boolean {
  const whole = typeof wanted === 'string' && !/[*{]/.test(wanted) ? urlOf(wanted) : null
  if (whole !== null) return (url) => url.href === whole.href
  const flags = typeof wanted === 'string' ? '' : wanted.flags.replace(/[^ims]/g, '')
  const found = compilePatterns([typeof wanted === 'string' ? sourceOf(wanted) : `${flags === '' ? '' : `(?${flags})`}${wanted.source}`], 'waitForURL')
  return ({ href }) => href.length <= found.longest && found(href)
}
