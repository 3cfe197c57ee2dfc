import type { Call } from './call.ts'
import type { ProxyTier } from './proxies.ts'

/** Where a page has media of a kind. */
export interface MediaSources {
  readonly kind: 'audio' | 'video'
  /** Files and streams, best first. */
  readonly urls: readonly string[]
  /** Addresses of players that keep it to themselves: only an extractor can tell where it is. */
  readonly players: readonly string[]
}

/** Media that an extractor has found. */
export interface ExtractedMedia {
  /** A file, a playlist or a manifest. */
  readonly url: string
  /** The page that its host expects it to be asked for from. */
  readonly referer: string | null
  /** Whether its sound is another file. */
  readonly silent: boolean
}

/** What an extractor is asked: where the page at this address has media of a kind, on the way by which the page was fetched. */
export interface ExtractionWish {
  readonly url: string
  readonly kind: MediaSources['kind']
  readonly tier: ProxyTier
  readonly country: string | undefined
  readonly skipTlsVerification: boolean
}

/** A program that knows hosts whose players keep media to themselves. */
export interface MediaExtractor {
  /** Best first; or why there are none, as the end of a sentence. Throws the signal's reason when aborted. */
  find(wish: ExtractionWish, call: Call): Promise<readonly ExtractedMedia[] | { readonly why: string }>
}

/** A file of media. */
export interface MediaFile {
  readonly bytes: Uint8Array
  readonly type: string
  /** Whether its sound is another stream. */
  readonly silent: boolean
}
