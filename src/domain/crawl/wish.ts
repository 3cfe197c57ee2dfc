import type { CrawlWish } from '../../spec/crawl.ts'

/** Which parts of a crawl's prompt were understood, and which were not. */
export interface Understood {
  readonly options: CrawlWish
  /** Words that no rule covers. */
  readonly rest: readonly string[]
}

type Rule = readonly [RegExp, (match: readonly (string | undefined)[]) => CrawlWish | null]

const inSeconds = (amount: string | undefined, unit = 's'): CrawlWish => ({ delay: (Number(amount) * (/^m(?:s|illi)/.test(unit) ? 1 : unit.startsWith('m') ? 60_000 : 1_000)) / 1_000 })
const not = "no|without|exclud(?:e|ing)|skip(?:ping)?|ignor(?:e|ing)|not|don't|do not|never"

/** Options with their own keywords, wherever they occur. A rule that returns null leaves its words in the rest. */
const rules: readonly Rule[] = [
  [/(?:(at least|minimum(?: of)?|(?<!no |not )more than) )?(?:(?:at most|up to|(?:no|not) more than|max(?:imum)?(?: of)?|limit(?:ed)?(?: it)?(?: to)?|(?:only )?the first|only) )?\b(\d{1,7}) (?:web ?)?(?:pages?|urls?|documents?|results?)(?: (?:at most|max(?:imum)?))?\b/, ([, least, count]) => (least === undefined ? { limit: Number(count) } : null)],
  [/\blimit(?: is| of|:| =)? ?(\d{1,7})\b/, ([, count]) => ({ limit: Number(count) })],
  [/\b(?:max(?:imum)? )?depth(?: of| is|:| =)? ?(\d{1,4})\b/, ([, depth]) => ({ maxDiscoveryDepth: Number(depth) })],
  [/(?:(?:at most|up to|(?:no|not) more than|only) )?\b(\d{1,4}) (?:levels?|links?|clicks?|hops?) (?:deep|down|away)(?: from the start)?\b/, ([, depth]) => ({ maxDiscoveryDepth: Number(depth) })],
  [/\b(?:(?:wait|pause|sleep|delay)(?: of| for|:)? |(?:one (?:page|request) )?every )(\d{1,6}(?:\.\d{1,3})?) ?(ms|milliseconds?|s|sec(?:ond)?s?|min(?:ute)?s?)\b(?: (?:between|after|before) (?:each|every|the|two|all)?(?: ?(?:pages?|requests?))?)?/, ([, amount, unit]) => inSeconds(amount, unit)],
  [/\b(\d{1,6}(?:\.\d{1,3})?) ?(ms|milliseconds?|s|sec(?:ond)?s?|min(?:ute)?s?) (?:of )?(?:delay|pause|apart|between (?:pages|requests))\b/, ([, amount, unit]) => inSeconds(amount, unit)],
  [new RegExp(`(?:\\b(${not})(?: (?:include|follow|crawl))? )?(?:any |the |all |its )*\\bsub-?domains?\\b`), ([, negated]) => ({ allowSubdomains: negated === undefined })],
  [new RegExp(`(?:\\b(${not})(?: (?:include|follow|crawl))? )?(?:any |the |all )*\\b(?:external|outbound|outgoing) (?:links?|sites?|pages?|domains?)\\b`), ([, negated]) => ({ allowExternalLinks: negated === undefined })],
  [/\b(?:the )?(?:entire|whole|complete|full) (?:site|website|web site|domain)\b/, () => ({ crawlEntireDomain: true })],
  [/\bonly (?:the )?(?:(?:pages?|urls?|links?) )?(?:of |in |from )?(?:the |its )?sitemaps?\b|\bsitemaps? only\b/, () => ({ sitemap: 'only' })],
  [new RegExp(`\\b(?:${not})(?: (?:use|read))? (?:the |any |its )?sitemaps?\\b`), () => ({ sitemap: 'skip' })],
  [/\bignor(?:e|ing) (?:the |all |any )?(?:url )?query(?: parameters?| strings?)?\b/, () => ({ ignoreQueryParameters: true })],
]

/** Usual sections of sites, and their paths. */
const sections: Readonly<Record<string, string>> = {
  about: 'about', api: 'api', articles: 'articles?', blog: 'blogs?', blogs: 'blogs?', careers: 'careers?', category: 'categor(?:y|ies)', categories: 'categor(?:y|ies)', changelog: 'changelog', contact: 'contact',
  docs: 'docs?|documentation', documentation: 'docs?|documentation', events: 'events?', examples: 'examples?', faq: 'faqs?', faqs: 'faqs?', forum: 'forums?', forums: 'forums?', guide: 'guides?', guides: 'guides?', help: 'help',
  jobs: 'jobs?', legal: 'legal', login: 'log-?in|sign-?in', news: 'news', press: 'press', pricing: 'pricing', product: 'products?', products: 'products?', reference: 'reference', reviews: 'reviews?', shop: 'shop', store: 'store',
  support: 'support', tag: 'tags?', tags: 'tags?', tutorial: 'tutorials?', tutorials: 'tutorials?', wiki: 'wiki',
}

const noise: ReadonlySet<string> = new Set(
  (
    'a an all and any are area areas as be below but can content contents could crawl crawling do each entries entry every everything fetch find folder folders follow for from get give go i in include includes including inside is it its just ' +
    'like links link me my need of on only or pages page part parts path paths please post posts scrape section sections should site sites starting that the their them then there these this those to under url urls want we web website with within would you'
  ).split(' '),
)
const opposite = /^(?:except|excluding|exclude|excludes|without|skip|skipping|ignore|ignoring|avoid|avoiding|omit|omitting|not|no|don't|never)$/
const onward = /^(?:only|just|include|includes|including|crawl|scrape|get|fetch|find)$/
const ofSection: ReadonlySet<string> = new Set(['articles', 'posts', 'pages', 'page', 'entries', 'section', 'sections', 'area', 'part'])

const literal = (text: string): string => text.replace(/[.+?^${}()|[\]\\]/g, '\\$&')

/** A path in everyday notation (`*` for anything) as a pattern for it and everything below it. */
function pathPattern(path: string): string {
  const bare = path.replace(/[/*]+$/, '').replace(/\*+/g, '*')
  return `^${literal(bare).replace(/\*/g, '.*')}(?:/|$)`
}

const sectionPattern = (name: string): string => `(?:^|/)(?:${name})(?:/|$)`

interface Paths {
  readonly include: string[]
  readonly exclude: string[]
  readonly rest: readonly string[]
}

/** The paths and sections that a text names; what follows "not", "except" and the like is left out. */
function pathsIn(text: string, withSections: boolean): Paths {
  const include: string[] = []
  const exclude: string[] = []
  const rest: string[] = []
  let leaveOut = false
  let before = ''
  for (const token of text.match(/[.;!?](?=\s|$)|\/[^\s,;"'`()]+|[^\s,;:"`().!?]+/g) ?? []) {
    const word = token.toLowerCase().replace(/^'+|'+$/g, '')
    const last = before
    before = word
    const put = (pattern: string): void => void (leaveOut ? exclude : include).push(pattern)
    if (/^[.;!?]$/.test(token)) leaveOut = false
    else if (opposite.test(word)) leaveOut = true
    else if (word.startsWith('/') && word.length > 1) put(pathPattern(token.replace(/[.!?]+$/, '')))
    else if (Object.hasOwn(sections, last) && ofSection.has(word)) continue
    else if (Object.hasOwn(sections, word) && withSections) put(sectionPattern(sections[word] ?? word))
    else if (onward.test(word) && !opposite.test(last) && last !== 'not') leaveOut = false
    else if (!noise.has(word) && word !== '') rest.push(token)
  }
  return { include: [...new Set(include)], exclude: [...new Set(exclude)], rest }
}

/**
 * Interprets a prompt by rules (contract §15.5): numbers, paths, and sections of sites by their usual names, which count
 * only when no other words are left.
 */
export function understood(prompt: string): Understood {
  let text = ` ${prompt.replace(/[’‘]/g, "'").replace(/\s+/g, ' ')} `
  let options: CrawlWish = {}
  for (const [pattern, make] of rules) {
    const match = new RegExp(pattern, 'i').exec(text)
    const made = match && make(match.map((part: string | undefined) => part?.toLowerCase()))
    if (!match || !made) continue
    options = { ...options, ...made }
    text = `${text.slice(0, match.index)} ${text.slice(match.index + match[0].length)}`
  }
  const named = pathsIn(text, true)
  const { include, exclude, rest } = named.rest.length === 0 ? named : pathsIn(text, false)
  return { options: { ...options, ...(include.length > 0 ? { includePaths: include } : {}), ...(exclude.length > 0 ? { excludePaths: exclude } : {}) }, rest }
}

/** Turns a pattern for paths into one for whole URLs; escaped and bracketed characters stay. */
export function onFullUrl(pattern: string): string {
  // Not within the host: that of `https://harbour.blog/` ends as the path of a blog does.
  return pattern
    .replaceAll('(?:^|/)', '^/(?:[^?#]*/)?')
    .replace(/(\\.|\[[^\]]*\])|[\^$]/g, (sign, whole: string | undefined) => whole ?? (sign === '^' ? '^[a-z]+://[^/?#]+' : '(?:[?#]|$)'))
}

/**
 * Adapts options made from a prompt to a start URL: the start is included, and pages outside of its folder may be reached.
 */
export function fitted(options: CrawlWish, start: URL): CrawlWish {
  const { includePaths } = options
  if (includePaths === undefined || includePaths.length === 0) return options
  return { ...options, includePaths: [...includePaths, `^${literal(start.pathname)}$`], ...(start.pathname === '/' ? {} : { crawlEntireDomain: options.crawlEntireDomain ?? true }) }
}
