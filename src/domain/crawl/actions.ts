import type { UrlParts } from '../../lib/plain-url.ts'

/** Before the part that tells: a language, and folders that accounts and shops have at the root. In `/docs/auth/logout` it is a page about that. */
const root = String.raw`^/(?:[a-z]{2}(?:[-_][a-z]{2})?/)?`

const paths: readonly RegExp[] = [
  // Ends the caller's own session where its cookies are sent.
  new RegExp(String.raw`${root}(?:(?:my-?)?(?:accounts?|users?|members?|customers?|auth|profile)/){0,2}(?:log|sign)[-_]?(?:out|off)(?:\.\w+)?/?$`, 'i'),
  new RegExp(String.raw`${root}(?:checkout/)?(?:cart|basket|wishlist|compare)/(?:index/)?(?:add|remove|delete|clear|change|update)(?:[/.]|$)`, 'i'),
  /\/posting\.php$/i,
]

/** Parameters that change something whatever their value: of WooCommerce and its lists of wishes, of liking a comment (Jetpack), and what WordPress has its own links prove themselves by that change something. */
const names: ReadonlySet<string> = new Set(['add-to-cart', 'add_to_cart', 'remove_item', 'undo_item', 'add_to_wishlist', 'remove_from_wishlist', 'like_comment', 'unlike_comment', '_wpnonce'])

/** What the parameter that says what to do may say: of MediaWiki, DokuWiki, WordPress, phpBB and many shops. Reading (`history`, `view`) is none of it. */
const values: Readonly<Record<string, ReadonlySet<string>>> = {
  action: new Set(['edit', 'delete', 'undelete', 'purge', 'rollback', 'protect', 'unprotect', 'unwatch', 'logout', 'add_to_cart', 'add-to-cart', 'add_product', 'buy_now', 'remove_product']),
  do: new Set(['edit', 'logout', 'subscribe', 'add_to_cart']),
  mode: new Set(['logout']),
  mark: new Set(['topics', 'forums']),
  veaction: new Set(['edit', 'editsource']),
}

/**
 * Whether a link does something, or opens a form to do it, rather than show a page: leave an account, fill a cart, edit, mark as read. Known
 * spellings only, of which none is the usual address of a page; whoever wants one of them names it as the start, or in a sitemap.
 */
export function isAction({ pathname, search }: UrlParts): boolean {
  if (paths.some((path) => path.test(pathname))) return true
  if (search === '') return false
  return search.slice(1).split('&').some((part) => {
    const [name = '', value = ''] = part.toLowerCase().split('=', 2)
    return names.has(name) || (Object.hasOwn(values, name) && values[name]?.has(value) === true)
  })
}
