import type { UrlParts } from '../../lib/plain-url.ts'

/** How unlikely a URL is to be a page of its own; crawls fetch low ranks first. */
export interface Variance {
  /** 0 for a page of its own. */
  readonly rank: number
  /** Whether it is probably a variant if the same URL without its query is a page, too. */
  readonly doubtful: boolean
}

/** The highest rank: so the ranks of one depth stay below those of the next. */
export const maxRank = 15

/** Added when the URL without its query, or without some of it, is a page of the crawl. */
export const knownWithout = 2

const weights = { other: 1, part: 2, filter: 3, view: 4 } as const

/** From here on a page is most likely another view of a page. */
export const viewRank = weights.view

/** Added when the site asks that the link not be followed: it marks edits, histories and sorted lists so. */
export const unfollowed = weights.view

type Kind = keyof typeof weights

/** Parameters for further pages of a list. `p` is not included: it also identifies posts and articles. */
const parts: ReadonlySet<string> = new Set(['page', 'paged', 'pg', 'pageno', 'page_no', 'pagenumber', 'pagenum', 'start', 'offset', 'skip', 'cursor', 'seite', 'pagina', 'strana'])

/** Parameters that filter a listing. */
const filters = /^(?:filters?|facets?|refine(?:ments?)?|pf|f|fq|attr(?:ibutes?)?)[[._]|^(?:filters?|facets?|colou?rs?|sizes?|brands?|materials?|price|min|max|rating|in_?stock|availability|on_?sale|manufacturers?)$|^(?:min|max|price)[_-]|[_-](?:min|max|price)$/

/** Parameters for orders, views and revisions of the same page, and for forms that it prefills. */
const views: ReadonlySet<string> = new Set([
  'sort', 'sortby', 'sort_by', 'sort-by', 'sortorder', 'sort_order', 'sorting', 'order', 'orderby', 'order_by', 'ordering', 'dir', 'direction', 'product_list_order', 'product_list_dir', 'product_list_mode', 'sk', 'sd',
  'limit', 'per_page', 'perpage', 'per-page', 'pagesize', 'page_size', 'page-size', 'itemsperpage', 'display', 'layout', 'viewmode', 'view_mode', 'tab', 'print', 'printable', 'printview', 'amp', 'share',
  'highlight', 'hilit', 'oldid', 'diff', 'rev', 'revision', 'action', 'redirect', 'redirect_to', 'returnurl', 'return_to', 'returnto', 'next', 'continue', 'like_comment', 'ref', 'variant',
  'group_by', 'groupby', 'set_filter', 'jump', 'tab_files', 'tab_details', 'replytocom', 'feed',
])

/** Parameters that identify pages in some systems, and the presentation of a page, or what is known about it, in others. */
const looks = /^view=(?:grid|list|table|gallery|tiles?|compact|print|unread|newest|next|previous|full|mobile|desktop|all)$|^do=(?:revisions|diff|backlink|recent|media|login|register|resendpwd|profile|admin|export_\w+|(?:find|getnew|getlast)comment)$|^format=(?:atom|rss|feed|csv|print)$/

/** Lists of the pages of a wiki, opened at one place. */
const indexes = /^do=index$|^idx=/

/**
 * Paths of further pages of a list, of a day, month or year of a calendar (which never ends), or of what a wiki says about
 * its pages.
 */
const partPath = /\/page\/\d+\/?$|\/(?:calend[a-z]+|events?|agenda|kalender|termine|veranstaltungen)\/(?:[a-z]+\/)?\d{4}(?:[/-]\d{1,2}){0,2}\/?$|^\/(?:[a-z-]+\/)?\d{4}(?:\/\d{1,2}){1,2}\/?$/i
const metaPath = /\/(?:special|spezial|sp%c3%a9cial|especial|speciale?):/i

/** Feeds repeat the beginnings of pages that the site has anyway. */
const feedPath = /\.(?:atom|rss)$|\/(?:feed|rss|atom)\/?$/i

function kindOf(parameter: string): Kind {
  const [name = ''] = parameter.split('=', 1)
  if (views.has(name) || looks.test(parameter)) return 'view'
  // Said to be nothing: the same page as without it.
  if (parameter.endsWith('=')) return 'view'
  if (parts.has(name) || indexes.test(parameter)) return 'part'
  return filters.test(name) ? 'filter' : 'other'
}

/** Whether the fragment points to a place that a parameter names already, as in links to forum posts. */
function namesPlace(parameters: readonly string[], hash: string): boolean {
  return parameters.some((parameter) => {
    const value = parameter.slice(parameter.indexOf('=') + 1)
    return value !== '' && hash.length > value.length && hash.endsWith(value)
  })
}

const parametersOf = (search: string): readonly string[] => search.slice(1).toLowerCase().replaceAll('%5b', '[').replaceAll('%5d', ']').split('&').filter((parameter) => parameter !== '')

/**
 * Whether a link leads to the page on which it stands with something added that no other rule knows: most likely another
 * view of that page. A page without a query has nothing that could be kept; `doubtful` covers it.
 */
export function addsTo(link: Pick<UrlParts, 'pathname' | 'search'>, page: Pick<UrlParts, 'pathname' | 'search'>): boolean {
  if (page.search.length < 2 || link.pathname !== page.pathname || link.search.length <= page.search.length) return false
  const kept = new Set(parametersOf(page.search))
  const added = parametersOf(link.search).filter((parameter) => !kept.delete(parameter))
  return kept.size === 0 && added.some((parameter) => kindOf(parameter) === 'other')
}

/** How likely a link leads to another view of a page; `hash` is its fragment, empty if that is a client-side route. */
export function variance({ pathname, search }: Pick<UrlParts, 'pathname' | 'search'>, hash: string): Variance {
  const ofPath = metaPath.test(pathname) || feedPath.test(pathname) ? weights.view : partPath.test(pathname) ? weights.part : 0
  if (search.length < 2) return { rank: ofPath, doubtful: false }
  const parameters = parametersOf(search)
  const kinds = parameters.map(kindOf)
  const place = hash !== '' && namesPlace(parameters, hash.toLowerCase()) ? weights.view : 0
  return { rank: Math.min(maxRank, kinds.reduce((sum, kind) => sum + weights[kind], ofPath + place)), doubtful: kinds.includes('other') }
}
