import { protocolLimits } from '../../content/sitemap.ts'

/** Files of one site that are read, and how far indexes may point to indexes. */
export const maxFiles = 2_000
export const maxLevels = 4
/** Files that could not be read, in a row, after which nobody asks for more. */
export const maxFailures = 20
/** Files of other sites that a site may have us fetch. */
export const maxForeign = 20

/** A limit of ours, or of robots.txt, that left out a part of what sitemaps name. */
export type SitemapLimit = 'size' | 'levels' | 'files' | 'foreign' | 'robots' | 'failures'

/** What became of the files of a site's sitemap. */
export interface SitemapReport {
  readonly files: number
  /** How many of them could not be read, or break off. */
  readonly troubled: number
  /** How many of those that reading began with are not there (404, 410). */
  readonly missing: number
  readonly limits: readonly SitemapLimit[]
}

/** Not by the language's own way: a start would pay 20 ms of CPU and some MB for it. */
const count = (number: number): string => String(number).replace(/\B(?=(?:\d{3})+$)/g, ',')

const sentences: Readonly<Record<SitemapLimit, string>> = {
  size: `Of a sitemap or feed no more than ${count(protocolLimits.urls)} URLs and ${protocolLimits.bytes / 2 ** 20} MB are read, and the site has one with more.`,
  levels: `Sitemaps nested deeper than ${maxLevels} levels were not read.`,
  files: `Only the first ${count(maxFiles)} sitemap files were read.`,
  foreign: `Of the sitemap files at other sites only the first ${maxForeign} were read.`,
  robots: 'Sitemap files that robots.txt bars were not read.',
  failures: `The remaining sitemap files were not asked for, since ${maxFailures} in a row could not be read.`,
}

/** What a caller is to be told of limits. */
export const limitWarnings = ({ limits }: SitemapReport): readonly string[] => limits.map((limit) => sentences[limit])

/** What a caller is to be told; `named`: the site says where its sitemaps are, so that none of them should be missing. */
export function sitemapWarnings(report: SitemapReport, named: boolean): readonly string[] {
  const { files, troubled, missing } = report
  const unread = troubled + (named ? missing : 0)
  return [...(unread === 0 ? [] : [`Of the sitemaps, ${unread} of ${files} files could not be read to their end.`]), ...limitWarnings(report)]
}
