/**
 * Sitemaps (https://www.sitemaps.org/protocol.html) as XML or text, and RSS, Atom and JSON feeds used as such, read as they
 * arrive.
 */
import { type Format, Found, maxAddress, type SitemapEntry, type SitemapKind } from './entries.ts'
import { sitemapDecoder } from './decoder.ts'
import { jsonFormat } from './json.ts'
import { xmlFormat } from './xml.ts'

export type { SitemapEntry, SitemapKind }

/** The remaining entries, and how the file ended. */
export interface SitemapEnd {
  readonly kind: SitemapKind
  readonly entries: readonly SitemapEntry[]
  /** Whether a limit cut the file. */
  readonly truncated: boolean
  /** Whether the file itself is incomplete. */
  readonly broken: boolean
}

/** How much of a file is read. */
export interface SitemapLimits {
  /** Decoded bytes. */
  readonly bytes: number
  readonly urls: number
}

/** The limits of the protocol: 50 MB and 50,000 addresses. */
export const protocolLimits: SitemapLimits = { bytes: 52_428_800, urls: 50_000 }

/** Reads a file piece by piece and keeps only what is incomplete. */
export interface SitemapReader {
  /** Returns the entries that this piece completed. */
  write(chunk: Uint8Array): readonly SitemapEntry[]
  /** Whether nothing more will be read: the download may stop. */
  full(): boolean
  end(): SitemapEnd
}

/** Whether bytes begin like a gzip file (RFC 1952 §2.3.1), which must be decompressed first. */
export function looksGzipped(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b && bytes[2] === 0x08
}

/** Whether a file begins like an HTML page, which many sites send when the file does not exist. */
export function looksLikePage(bytes: Uint8Array): boolean {
  return /^[\s\u{FEFF}]*<(?:!doctype\s+html|html)[\s>]/iu.test(new TextDecoder().decode(bytes.subarray(0, 1_024)))
}

/**
 * A reader for the file fetched from `url`. Broken files give what is readable, but no cut address; entities of a DOCTYPE
 * are never expanded. Never throws.
 */
export function sitemapReader(url: string, limits: SitemapLimits = protocolLimits): SitemapReader {
  const found = new Found(url, limits.urls)
  const decoder = sitemapDecoder()
  let format: Format | null = null
  let bytes = 0
  let truncated = false
  const read = (text: string): void => {
    if (text === '') return
    format ??= formatOf(text, found)
    format?.write(text)
  }
  const over = (): boolean => found.full || format?.over() === true
  return {
    write(chunk) {
      const room = limits.bytes - bytes
      if (chunk.length > room) truncated = true
      if (room > 0 && !over()) read(decoder.write(chunk.subarray(0, room)))
      bytes += Math.min(chunk.length, room)
      return found.take()
    },
    full: () => over() || truncated,
    end() {
      if (!over()) read(decoder.end())
      const complete = format?.end(truncated) !== false
      const cut = truncated || found.full
      return { kind: found.kind, entries: found.take(), truncated: cut, broken: !cut && !complete }
    },
  }
}

/**
 * The format of a file by its first characters; null while there is only white space. Output of a broken server before the
 * file is skipped.
 */
function formatOf(text: string, found: Found): Format | null {
  const start = /\S/.exec(text)?.[0]
  if (start === undefined) return null
  if (start === '{') return jsonFormat(found)
  const xml = text.slice(0, 4_096).search(/<(?:\?xml|urlset|sitemapindex|rss|feed)[\s>]/)
  return xml >= 0 || start === '<' ? xmlFormat(found, Math.max(0, xml)) : textFormat(found)
}

/** One address per line; other lines are ignored. */
function textFormat(found: Found): Format {
  let rest = ''
  const line = (text: string): void => {
    if (/^\s*[a-z][a-z\d+.-]*:\/\//i.test(text)) found.add('text', text)
  }
  return {
    write(text) {
      const lines = (rest + text).split(/[\r\n]+/)
      rest = lines.pop()?.slice(0, maxAddress + 1) ?? ''
      for (const one of lines) {
        if (found.full) return
        line(one)
      }
    },
    over: () => false,
    end(cut) {
      if (!cut) line(rest)
      return true
    },
  }
}
