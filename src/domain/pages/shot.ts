/** A screenshot of a page. */
export interface Shot {
  readonly bytes: Uint8Array
  readonly type: 'image/png' | 'image/jpeg'
  /** True when the page is larger than the screenshot. */
  readonly clipped: boolean
}

/** How to take a screenshot. */
export interface ShotOrder {
  /** Capture the whole page instead of the visible part. */
  readonly fullPage: boolean
  /** JPEG quality, 1 to 100; PNG when absent. */
  readonly quality?: number | undefined
  readonly viewport?: { readonly width: number; readonly height: number } | undefined
}
