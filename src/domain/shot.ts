/** A picture of a page. */
export interface Shot {
  readonly bytes: Uint8Array
  readonly type: 'image/png' | 'image/jpeg'
  /** True when the page is larger than what was taken. */
  readonly clipped: boolean
}

/** How a picture of the page is to be taken. */
export interface ShotOrder {
  /** The whole page, not only what the window shows. */
  readonly fullPage: boolean
  /** 1 to 100: JPEG of that quality; PNG without. */
  readonly quality?: number | undefined
  readonly viewport?: { readonly width: number; readonly height: number } | undefined
}
