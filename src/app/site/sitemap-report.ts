import { protocolLimits } from '../../content/site/sitemap/index.ts'

/** The maximum number of files per site, and the maximum depth of nested indexes. */
export const maxFiles = 2_000
export const maxLevels = 4
/** After this many consecutive files that could not be read, reading stops. */
export const maxFailures = 20
/** The maximum number of files on other sites that a site can make us fetch. */
export const maxForeign = 20

/** A limit of ours, or of robots.txt, that cut off a part of the sitemaps. */
export type SitemapLimit = 'size' | 'levels' | 'files' | 'foreign' | 'robots' | 'failures'

/** How reading a site's sitemaps went. */
export interface SitemapReport {
  readonly files: number
  /** How many files could not be read, or end early. */
  readonly troubled: number
  /** How many of the starting files do not exist (404, 410). */
  readonly missing: number
  readonly limits: readonly SitemapLimit[]
}

/** Without `toLocaleString`, which would cost 20 ms of CPU and some MB at the start. */
const count = (number: number): string => String(number).replace(/\B(?=(?:\d{3})+$)/g, ',')

const sentences: Readonly<Record<SitemapLimit, string>> = {
  size: `Of a sitemap or feed no more than ${count(protocolLimits.urls)} URLs and ${protocolLimits.bytes / 2 ** 20} MB are read, and the site has one with more.`,
  levels: `Sitemaps nested deeper than ${maxLevels} levels were not read.`,
  files: `Of the sitemap files that the site names only the first ${count(maxFiles)} were considered.`,
  foreign: `Of the sitemap files at other sites only the first ${maxForeign} were read.`,
  robots: 'Sitemap files that robots.txt bars, or whose host gave no robots.txt that could be read, were not read.',
  failures: `The remaining sitemap files were not asked for, since ${maxFailures} in a row could not be read.`,
}

/** Warnings about limits, for the caller. */
export const limitWarnings = ({ limits }: SitemapReport): readonly string[] => limits.map((limit) => sentences[limit])

/** Warnings for the caller; `named`: the site names its sitemaps, so that none of them should be missing. */
export function sitemapWarnings(report: SitemapReport, named: boolean): readonly string[] {
  const { files, troubled, missing } = report
  const unread = troubled + (named ? missing : 0)
  return [...(unread === 0 ? [] : [`Of the sitemaps, ${unread} of ${files} files could not be read to their end.`]), ...limitWarnings(report)]
}
