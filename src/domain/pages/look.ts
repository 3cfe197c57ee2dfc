/** A colour as `#rrggbb`, with how much of the page has it: in pixels or characters. */
export type Share = readonly [color: string, amount: number]

/** The typography of a piece of text. */
export interface Lettering {
  readonly family: string
  readonly size: string
  readonly weight: number
  /** Line height as a number or a length; empty when the browser chooses it. */
  readonly line: string
  readonly color: string
}

/** The style of a button or an input field; invisible colours are empty. */
export interface Box {
  readonly background: string
  readonly color: string
  readonly border: string
  /** The radii of the four corners, clockwise from the top left. */
  readonly corners: readonly [string, string, string, string]
  readonly shadow: string
  readonly padding: string
  readonly area: number
  /** Distance from the top of the page. */
  readonly top: number
}

/** The design of a page as a browser rendered it: measured, not yet interpreted. Lists are ordered by frequency. */
export interface Look {
  readonly painted: readonly Share[]
  readonly text: readonly Share[]
  readonly links: readonly Share[]
  /** Colours with the names that the page gives them: custom properties, classes, `theme-color`. */
  readonly named: readonly (readonly [name: string, color: string])[]
  readonly families: readonly (readonly [family: string, characters: number])[]
  readonly body: Lettering | null
  readonly headings: { readonly h1: Lettering | null; readonly h2: Lettering | null; readonly h3: Lettering | null }
  readonly paragraph: Lettering | null
  readonly small: Lettering | null
  readonly code: Lettering | null
  readonly weights: readonly (readonly [weight: number, characters: number])[]
  readonly buttons: readonly Box[]
  readonly input: (Box & { readonly focusBorder: string }) | null
  /** Lengths of paddings, margins and gaps in pixels, with their frequencies. */
  readonly lengths: readonly (readonly [pixels: number, count: number])[]
  readonly radii: readonly (readonly [radius: string, count: number])[]
  readonly margins: { readonly heading: string; readonly paragraph: string; readonly section: string }
  readonly sectionPadding: string
  readonly grid: { readonly columns: number; readonly gap: string } | null
  readonly maxWidth: string
  readonly headerHeight: number
  readonly footerHeight: number
  readonly icons: { readonly outline: number; readonly filled: number; readonly colors: readonly Share[] }
  readonly transitions: readonly (readonly [duration: string, easing: string, count: number])[]
  readonly logo: { readonly src: string; readonly href: string; readonly alt: string } | null
  readonly dark: boolean
}
