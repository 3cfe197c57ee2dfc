import type { Call } from '../call.ts'
import type { ProxyTier } from '../fetching/proxies.ts'

/** Where a page has media of a kind. */
export interface MediaSources {
  readonly kind: 'audio' | 'video'
  /** Files and streams, best first. */
  readonly urls: readonly string[]
  /** URLs of players that do not reveal the media's URL: only an extractor can find it. */
  readonly players: readonly string[]
}

/** Media found by an extractor. */
export interface ExtractedMedia {
  /** A file, a playlist or a manifest. */
  readonly url: string
  /** The referring page that the media's host expects. */
  readonly referer: string | null
  /** Whether its sound is in another file. */
  readonly silent: boolean
}

/** The extractor's input: the page and the kind of media, and the proxy through which the page was fetched. */
export interface ExtractionWish {
  readonly url: string
  readonly kind: MediaSources['kind']
  readonly tier: ProxyTier
  readonly country: string | undefined
  readonly skipTlsVerification: boolean
}

/** A program that knows hosts whose players do not reveal their media. */
export interface MediaExtractor {
  /** Best first; or why there are none, as the end of a sentence. Throws the signal's reason when aborted. */
  find(wish: ExtractionWish, call: Call): Promise<readonly ExtractedMedia[] | { readonly why: string }>
}

/** A media file. */
export interface MediaFile {
  readonly bytes: Uint8Array
  readonly type: string
  /** Whether its sound is in another stream. */
  readonly silent: boolean
}
