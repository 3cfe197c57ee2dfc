import { admit, type Admission, type Source } from '../../../domain/crawl/admit.ts'
import type { CrawlRules } from '../../../domain/crawl/rules.ts'
import type { NewPage, PageEnd, PageTask, SkippedUrl } from '../../../domain/jobs/pages.ts'
import type { PageFacts } from '../../../domain/pages/derivation.ts'
import type { KnownJob } from './memory.ts'
import type { WorkPorts } from '../ports.ts'
import type { Told } from './told.ts'

/** Links decided on and sent to the store at a time; fewer if the caller's patterns make each slow. */
const atOnce = 2_000
const atOnceMs = 100

/** Tells when it is time to yield the thread. */
export function lateFrom(now: () => number): () => boolean {
  const began = now()
  return () => now() - began > atOnceMs
}

type Links = Pick<PageEnd, 'pages' | 'skipped'>

/** For a page without links. */
export const noLinks: Links = { pages: [], skipped: [] }

/** A page whose links were extracted. */
export interface LinkedPage {
  readonly task: PageTask
  readonly known: KnownJob
  /** The address that answered. */
  readonly url: string
  /** Whether it answered from another site. */
  readonly external: boolean
  /** The site says that the page is gone. Its links are not followed: error pages link to the same places, or to ever more of their kind. */
  readonly missing: boolean
}

/** The page as the source of its links; if those are not followed, they are examined only to say why. */
function sourceOf({ task: { depth, recalled, seq }, known: { crawl }, url, external, missing }: LinkedPage, unfollowed: readonly string[]): Source {
  return { depth, external, url: new URL(url), unfollowed: new Set(unfollowed), followed: crawl?.request.sitemap !== 'only' && recalled !== true && (!missing || seq === 1) }
}

/** What to send to the store, and the names under which to remember that. */
export interface Found extends Links {
  readonly names: ReadonlySet<string>
  /** Links, as written, whose decision is final wherever they occur again. */
  readonly decided: readonly string[]
  /** How many links were examined. */
  readonly count: number
}

const isDepthLimited = ({ maxDepth }: CrawlRules): boolean => Number.isFinite(maxDepth)

function pageOf({ url, key, host, depth, external, rank, variantOf }: NewPage, rules: CrawlRules): NewPage {
  const limited = isDepthLimited(rules) ? { depthLimited: true as const } : {} // `const`: of its type
  return { url, key, host, depth, external, ...limited, ...(rank === undefined ? {} : { rank }), ...(variantOf === undefined ? {} : { variantOf }) }
}
const skipOf = ({ url, reason, code, key }: SkippedUrl): SkippedUrl => ({ url, reason, code, key })

const refused = (url: string): string => `- ${url}`

/** Name of a page that another link may still lift. */
const lowered = (name: string): string => `~~ ${name}`

const atDepth = (url: string, depth: number): string => `${depth} ${url}`

/** Name of a page that must wait for others. Found in a sitemap as well, it need not wait any more. */
const behind = (url: string): string => `~ ${url}`

/**
 * The name under which a decision is remembered. A refusal that another route to the URL could lift has its own name, so that a final reason
 * can still be sent after it. Where depth is limited, so has each depth of a page.
 */
function nameOf(admission: Admission, rules: CrawlRules): string {
  if (admission.ok && admission.lowered === true) return lowered(isDepthLimited(rules) ? atDepth(admission.url, admission.depth) : admission.url)
  if (admission.ok && isDepthLimited(rules)) return atDepth(admission.url, admission.depth)
  if (admission.ok) return (admission.rank ?? 0) > 0 ? behind(admission.url) : admission.url
  return admission.key === undefined ? refused(admission.url) : `? ${admission.url}`
}

/** Whether this route to a known page may be shorter than the one that was sent. */
function isNearer(admission: Admission, rules: CrawlRules, told: Told): boolean {
  return admission.ok && isDepthLimited(rules) && ![0, 1].some((depth) => depth <= admission.depth && told.has(atDepth(admission.url, depth)))
}

/** Decides on URLs, found on a page or (`from` null) elsewhere, until it is time to yield. URLs that the frontier has are skipped. */
export function sorted(urls: readonly string[], from: Source | null, { crawl, told, isLate = () => false }: Pick<KnownJob, 'crawl' | 'told'> & { readonly isLate?: () => boolean }): Found {
  const pages: NewPage[] = []
  const skipped: SkippedUrl[] = []
  const names = new Set<string>()
  const decided: string[] = []
  if (crawl === null) return { pages, skipped, names, decided, count: urls.length }
  const rules = crawl.rules()
  let count = 0
  for (const link of urls) {
    if (count > 0 && isLate()) break
    count++
    // The same links occur on page after page: recognised as written, they are not parsed again.
    if (from !== null && told.hasLink(link)) continue
    const admission = admit(link, from, rules)
    const isLowered = admission.ok && admission.lowered === true
    // A link refused or lowered here may do better elsewhere, and where depth is limited a shorter route may be found.
    if (admission.ok ? !isLowered && (!isDepthLimited(rules) || admission.depth === 0) : admission.key === undefined) decided.push(link)
    // Not by its key: the store lists that a page has other spellings.
    const name = nameOf(admission, rules)
    if (told.has(name) || names.has(name) || told.has(refused(admission.url)) || (told.has(admission.url) && !isNearer(admission, rules, told))) continue
    // Only an accepted page takes precedence over what was sent before, and a lowered one only over what was refused.
    if ((!admission.ok || isLowered) && told.has(behind(admission.url))) continue
    if (!admission.ok && told.has(lowered(admission.url))) continue
    names.add(name)
    if (admission.ok && isDepthLimited(rules)) names.add(isLowered ? lowered(admission.url) : admission.url)
    if (admission.ok) pages.push(pageOf(admission, rules))
    else skipped.push(skipOf(admission))
  }
  return { pages, skipped, names, decided, count }
}

/** Remembers what was sent, so that it is not sent again. */
export function remember(told: Told, { names, decided }: Found): void {
  told.add(names)
  told.addLinks(decided)
}

/**
 * The links of a page that the frontier does not have, to be written with the page's end. If there are very many, the first are sent ahead;
 * sending them twice, should the page be fetched again, adds nothing.
 */
export async function followed({ found = [], unfollowed = [] }: Pick<PageFacts, 'found' | 'unfollowed'>, page: LinkedPage, { jobs, site, now }: Pick<WorkPorts, 'jobs' | 'site' | 'now'>): Promise<Found> {
  const { task, known } = page
  const source = sourceOf(page, unfollowed)
  for (let at = 0; ; ) {
    const part = sorted(found.slice(at, at + atOnce), source, { ...known, isLate: lateFrom(now) })
    at += part.count
    if (at >= found.length) return part
    if (part.names.size > 0 && (await jobs.append(task.job, part.pages, part.skipped, now()))) remember(known.told, part)
    await site.breathe()
  }
}
