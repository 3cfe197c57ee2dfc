import { domainToUnicode } from 'node:url'
import { percentRead } from '../../lib/percent-decoded.ts'
import type { UrlParts } from '../../lib/plain-url.ts'
import { compilePatterns, type PatternTest } from '../urls/patterns.ts'
import { indexFile, samePercents, type Site, type UrlRules, urlKey } from '../urls/site-url.ts'

/** The options of a crawl that say which pages belong to it. */
export interface CrawlOptions extends UrlRules {
  readonly includePaths?: readonly string[] | undefined
  readonly excludePaths?: readonly string[] | undefined
  /** Match patterns against the whole URL instead of the path. */
  readonly regexOnFullURL: boolean
  readonly crawlEntireDomain: boolean
  readonly allowSubdomains: boolean
  readonly allowExternalLinks: boolean
  readonly maxDiscoveryDepth?: number | undefined
}

/** Where a crawl starts, and what is known of robots.txt; pages of hosts not yet asked are accepted. */
export interface CrawlStart extends Site {
  readonly allowedByRobots?: ((url: string) => boolean) | undefined
}

/** The compiled options of one crawl. */
export interface CrawlRules {
  readonly site: Site
  readonly startKey: string
  readonly keys: UrlRules
  readonly allowSubdomains: boolean
  readonly allowExternalLinks: boolean
  /** Infinity without a limit. */
  readonly maxDepth: number
  /** Whether a path of the site itself is below the start; always true when any path is allowed. */
  readonly inScope: (pathname: string) => boolean
  readonly isIncluded: (url: UrlParts) => boolean
  readonly isExcluded: (url: UrlParts) => boolean
  readonly allowedByRobots: (url: string) => boolean
}

/** The compiled patterns of a crawl. */
export interface PathTests {
  readonly included: PatternTest
  readonly excluded: PatternTest
}

/** Compiles the patterns. Throws `BAD_REQUEST` for invalid ones. */
export function pathTests({ includePaths = [], excludePaths = [] }: Pick<CrawlOptions, 'includePaths' | 'excludePaths'>): PathTests {
  return { included: compilePatterns(includePaths, 'includePaths'), excluded: compilePatterns(excludePaths, 'excludePaths') }
}

/** Compiles the options, except for patterns that are already. Throws `BAD_REQUEST` for invalid patterns. */
export function crawlRules(options: CrawlOptions, start: CrawlStart, { included, excluded } = pathTests(options)): CrawlRules {
  const includesAll = (options.includePaths ?? []).length === 0
  const longest = Math.min(included.longest, excluded.longest)
  const text = (url: UrlParts): string => (options.regexOnFullURL ? url.href : url.pathname)
  const isTestable = (url: UrlParts): boolean => text(url).length <= longest
  return {
    site: { url: start.url, domain: start.domain },
    startKey: urlKey(start.url, options),
    keys: { ignoreQueryParameters: options.ignoreQueryParameters, deduplicateSimilarURLs: options.deduplicateSimilarURLs },
    allowSubdomains: options.allowSubdomains,
    allowExternalLinks: options.allowExternalLinks,
    maxDepth: options.maxDiscoveryDepth ?? Number.POSITIVE_INFINITY,
    inScope: options.crawlEntireDomain ? () => true : childrenOf(start.url.pathname),
    // A URL that takes too long to match does not count as wanted.
    isIncluded: (url) => isTestable(url) && (includesAll || matches(included, text(url))),
    isExcluded: (url) => isTestable(url) && matches(excluded, text(url)),
    allowedByRobots: start.allowedByRobots ?? (() => true),
  }
}

/** Patterns are written in letters, paths in percent encoding and hosts in ASCII: try both spellings. */
function matches(test: PatternTest, text: string): boolean {
  return test(text) || ((text.includes('%') || text.includes('xn--')) && test(inLetters(text)))
}

const inLetters = (text: string): string => percentRead(text.replace(/^(https?:\/\/)([^/:]*xn--[^/:]*)/, (_, scheme: string, host: string) => scheme + domainToUnicode(host)))

/** File endings of URLs that answer with a page, not with a folder. */
const pageFile = /\.(?:[xs]?html?|php\d?|aspx?|jspx?|cgi|cfm|do|md|txt|pdf|xml|json)$/i

/**
 * Whether a path is the start path or below it. A start path without a file name is a folder (`/docs` as well as `/docs/`),
 * an index file stands for its folder, and any other file for itself and the folder of the same name (`/docs/api.html`:
 * `/docs/api/…`).
 */
export function childrenOf(startPath: string): (pathname: string) => boolean {
  const path = samePercents(startPath)
  const last = path.slice(path.lastIndexOf('/') + 1)
  const folder = indexFile.test(last) ? path.slice(0, -last.length) : path.replace(pageFile, '')
  const prefix = folder.endsWith('/') ? folder : `${folder}/`
  const exact = prefix.slice(0, -1)
  return (pathname) => {
    const candidate = samePercents(pathname)
    return candidate.startsWith(prefix) || candidate === path || candidate === exact
  }
}

/** Endings of files that are never pages. Endings that also occur in names (`next.js`, `open.ai`) are not included. */
const media: ReadonlySet<string> = new Set(
  (
    'png jpg jpeg jpe gif webp avif bmp ico tif tiff svg svgz heic heif psd woff woff2 ttf otf eot ' +
    'mp3 wav ogg oga opus flac m4a aac wma mid midi mp4 m4v webm mov avi mkv wmv flv mpg mpeg ogv 3gp m3u8 ' +
    'zip gz tgz tar bz2 tbz2 xz 7z rar zst jar war iso img dmg exe msi pkg deb rpm apk ipa bin css'
  ).split(' '),
)

/**
 * Whether a link leads to an image, font, video, audio file, archive or program, judged by its ending: nothing in it can be
 * read, and each would use up a page of the limit. Documents are pages, and so are pages about files
 * (`/wiki/File:Map.png`).
 */
export function isMedia({ pathname }: UrlParts): boolean {
  const last = pathname.slice(pathname.lastIndexOf('/') + 1)
  const dot = last.lastIndexOf('.')
  return dot > 0 && media.has(last.slice(dot + 1).toLowerCase()) && !/:|%3a/i.test(last)
}
