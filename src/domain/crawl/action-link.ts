import type { UrlParts } from '../../lib/plain-url.ts'

/**
 * What may precede the telling part of a path: a language, and folders that accounts and shops have at the root.
 * `/docs/auth/logout` is a page about logging out.
 */
const root = String.raw`^/(?:[a-z]{2}(?:[-_][a-z]{2})?/)?`

const paths: readonly RegExp[] = [
  // Would end the caller's own session when the caller's cookies are sent.
  new RegExp(String.raw`${root}(?:(?:my-?)?(?:accounts?|users?|members?|customers?|auth|profile)/){0,2}(?:log|sign)[-_]?(?:out|off)(?:\.\w+)?/?$`, 'i'),
  new RegExp(String.raw`${root}(?:checkout/)?(?:cart|basket|wishlist|compare)/(?:index/)?(?:add|remove|delete|clear|change|update)(?:[/.]|$)`, 'i'),
  /\/posting\.php$/i,
]

/**
 * Parameters that change something, whatever their value: of WooCommerce and its wish lists, of Jetpack's likes, and the
 * nonce that WordPress adds to links that change something.
 */
const names: ReadonlySet<string> = new Set(['add-to-cart', 'add_to_cart', 'remove_item', 'undo_item', 'add_to_wishlist', 'remove_from_wishlist', 'like_comment', 'unlike_comment', '_wpnonce'])

/**
 * Values of the parameter that names the action, in MediaWiki, DokuWiki, WordPress, phpBB and many shops. Reading
 * (`history`, `view`) is not among them.
 */
const values: Readonly<Record<string, ReadonlySet<string>>> = {
  action: new Set(['edit', 'delete', 'undelete', 'purge', 'rollback', 'protect', 'unprotect', 'unwatch', 'logout', 'add_to_cart', 'add-to-cart', 'add_product', 'buy_now', 'remove_product']),
  do: new Set(['edit', 'logout', 'subscribe', 'add_to_cart']),
  mode: new Set(['logout']),
  mark: new Set(['topics', 'forums']),
  veaction: new Set(['edit', 'editsource']),
}

/**
 * Whether a link does something, or opens a form to do it, instead of showing a page: log out, fill a cart, edit, mark as
 * read. Only known spellings that are not usual addresses of pages; a caller who wants one names it as the start or in a
 * sitemap.
 */
export function isActionLink({ pathname, search }: UrlParts): boolean {
  if (paths.some((path) => path.test(pathname))) return true
  if (search === '') return false
  return search.slice(1).split('&').some((part) => {
    const [name = '', value = ''] = part.toLowerCase().split('=', 2)
    return names.has(name) || (Object.hasOwn(values, name) && values[name]?.has(value) === true)
  })
}
