import { admit, type Source } from '../../domain/crawl/admit.ts'
import type { NewPage, PageEnd, PageTask, SkippedUrl } from '../../domain/jobs.ts'
import type { KnownJob } from './memory.ts'
import type { WorkPorts } from './ports.ts'

/** Links that are decided on, and told to the store, at a time. */
const atOnce = 2_000

type Links = Pick<PageEnd, 'pages' | 'skipped'>

/** Of a page whose links are not followed. */
export const noLinks: Links = { pages: [], skipped: [] }

/** Whether the links of a page are followed at all. */
export function follows(task: PageTask, { crawl }: KnownJob): boolean {
  return crawl !== null && crawl.request.sitemap !== 'only' && !task.external
}

/** What the store is to be told, and by which names it is then known to have been. */
export interface Found extends Links {
  readonly names: ReadonlySet<string>
}

const pageOf = ({ url, key, host, depth, external }: NewPage): NewPage => ({ url, key, host, depth, external })
const skipOf = ({ url, reason, code, key }: SkippedUrl): SkippedUrl => ({ url, reason, code, key })

/** Decides on URLs, found on a page or (`from` null) elsewhere; those that the frontier was told of are passed over. */
export function sorted(urls: readonly string[], from: Source | null, { crawl, told }: Pick<KnownJob, 'crawl' | 'told'>): Found {
  const pages: NewPage[] = []
  const skipped: SkippedUrl[] = []
  const names = new Set<string>()
  if (crawl === null) return { pages, skipped, names }
  const rules = crawl.rules()
  for (const link of urls) {
    const admission = admit(link, from, rules)
    const name = admission.ok ? admission.key : `- ${admission.url}`
    if (told.has(name) || names.has(name)) continue
    names.add(name)
    if (admission.ok) pages.push(pageOf(admission))
    else skipped.push(skipOf(admission))
  }
  return { pages, skipped, names }
}

/**
 * The links of a page that the frontier has not been told of, to be written with its end. Of a page with very many the first of them go ahead: telling
 * the store twice, should this page be fetched again, adds nothing.
 */
export async function followed(found: readonly string[], { task, known }: { readonly task: PageTask; readonly known: KnownJob }, { jobs, site, now }: Pick<WorkPorts, 'jobs' | 'site' | 'now'>): Promise<Found> {
  let at = 0
  for (; found.length - at > atOnce; at += atOnce) {
    const { pages, skipped, names } = sorted(found.slice(at, at + atOnce), task, known)
    if (names.size > 0 && (await jobs.append(task.job, pages, skipped, now()))) known.told.add(names)
    await site.breathe()
  }
  return sorted(found.slice(at), task, known)
}
