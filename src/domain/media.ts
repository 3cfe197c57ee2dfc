/** Where a page has media of a kind. */
export interface MediaSources {
  readonly kind: 'audio' | 'video'
  /** Files and streams, best first. */
  readonly urls: readonly string[]
  /** Hosts that play it themselves, which no address can be had of without an extractor. */
  readonly players: readonly string[]
}

/** A file of media. */
export interface MediaFile {
  readonly bytes: Uint8Array
  readonly type: string
  /** Whether its sound is another stream. */
  readonly silent: boolean
}
