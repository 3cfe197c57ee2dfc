import { admit, type Admission, type Source } from '../../domain/crawl/admit.ts'
import type { CrawlRules } from '../../domain/crawl/rules.ts'
import type { NewPage, PageEnd, PageTask, SkippedUrl } from '../../domain/jobs/pages.ts'
import type { KnownJob } from './memory.ts'
import type { WorkPorts } from './ports.ts'
import type { Told } from './told.ts'

/** Links that are decided on, and told to the store, at a time; fewer where each takes long, by patterns of the caller. */
const atOnce = 2_000
const atOnceMs = 100

/** Says when others are to have the thread. */
export function lateFrom(now: () => number): () => boolean {
  const began = now()
  return () => now() - began > atOnceMs
}

type Links = Pick<PageEnd, 'pages' | 'skipped'>

/** Of a page that left none. */
export const noLinks: Links = { pages: [], skipped: [] }

/** A page whose links were found. */
export interface LinkedPage {
  readonly task: PageTask
  readonly known: KnownJob
  /** Whether it answered from another site. */
  readonly external: boolean
  /** The site says that it is not there: it leads to what such pages always do, or without end to more of the kind. */
  readonly missing: boolean
}

/** The page as the source of its links; where they are not followed they are looked at only to say why. */
function sourceOf({ task: { depth, recalled, seq }, known: { crawl }, external, missing }: LinkedPage): Source {
  return { depth, external, followed: crawl?.request.sitemap !== 'only' && recalled !== true && (!missing || seq === 1) }
}

/** What the store is to be told, and by which names it is then known to have been. */
export interface Found extends Links {
  readonly names: ReadonlySet<string>
  /** Links, as written, that are decided on wherever they are found again. */
  readonly decided: readonly string[]
  /** How many of them were looked at. */
  readonly count: number
}

const isDepthLimited = ({ maxDepth }: CrawlRules): boolean => Number.isFinite(maxDepth)

function pageOf({ url, key, host, depth, external, rank, variantOf }: NewPage, rules: CrawlRules): NewPage {
  const limited = isDepthLimited(rules) ? { depthLimited: true as const } : {} // `const`: of its type
  return { url, key, host, depth, external, ...limited, ...(rank === undefined ? {} : { rank }), ...(variantOf === undefined ? {} : { variantOf }) }
}
const skipOf = ({ url, reason, code, key }: SkippedUrl): SkippedUrl => ({ url, reason, code, key })

const refused = (url: string): string => `- ${url}`

const atDepth = (url: string, depth: number): string => `${depth} ${url}`

/** Of a page that has yet to wait for others: where a sitemap names it, too, it need not any more. */
const behind = (url: string): string => `~ ${url}`

/** By what the store is known to have been told. A refusal that another way to the URL could undo has a name of its own: a reason that stays is to be told after it. So has each depth of a page, where depth is limited. */
function nameOf(admission: Admission, rules: CrawlRules): string {
  if (admission.ok && isDepthLimited(rules)) return atDepth(admission.url, admission.depth)
  if (admission.ok) return (admission.rank ?? 0) > 0 ? behind(admission.url) : admission.url
  return admission.key === undefined ? refused(admission.url) : `? ${admission.url}`
}

/** Whether the way to a page that the store was told of may be shorter than what it was told. */
function isNearer(admission: Admission, rules: CrawlRules, told: Told): boolean {
  return admission.ok && isDepthLimited(rules) && ![0, 1].some((depth) => depth <= admission.depth && told.has(atDepth(admission.url, depth)))
}

/** Decides on URLs, found on a page or (`from` null) elsewhere, until it is late; those that the frontier was told of are passed over. */
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
    // The same links stand on page after page: as written, they need not be taken apart again.
    if (from !== null && told.hasLink(link)) continue
    const admission = admit(link, from, rules)
    // One that is refused here may not be elsewhere; and where depth is limited a shorter way may be found.
    if (admission.ok ? !isDepthLimited(rules) || admission.depth === 0 : admission.key === undefined) decided.push(link)
    // Not by its key: that a page has other spellings is for the store to list.
    const name = nameOf(admission, rules)
    if (told.has(name) || names.has(name) || told.has(refused(admission.url)) || (told.has(admission.url) && !isNearer(admission, rules, told))) continue
    // Only a page that is told of now comes before what was told before.
    if (!admission.ok && told.has(behind(admission.url))) continue
    names.add(name)
    if (admission.ok && isDepthLimited(rules)) names.add(admission.url)
    if (admission.ok) pages.push(pageOf(admission, rules))
    else skipped.push(skipOf(admission))
  }
  return { pages, skipped, names, decided, count }
}

/** What the store was told need not be told again. */
export function remember(told: Told, { names, decided }: Found): void {
  told.add(names)
  told.addLinks(decided)
}

/**
 * The links of a page that the frontier has not been told of, to be written with its end. Of a page with very many the first of them go ahead: telling
 * the store twice, should this page be fetched again, adds nothing.
 */
export async function followed(found: readonly string[], page: LinkedPage, { jobs, site, now }: Pick<WorkPorts, 'jobs' | 'site' | 'now'>): Promise<Found> {
  const { task, known } = page
  const source = sourceOf(page)
  for (let at = 0; ; ) {
    const part = sorted(found.slice(at, at + atOnce), source, { ...known, isLate: lateFrom(now) })
    at += part.count
    if (at >= found.length) return part
    if (part.names.size > 0 && (await jobs.append(task.job, part.pages, part.skipped, now()))) remember(known.told, part)
    await site.breathe()
  }
}
