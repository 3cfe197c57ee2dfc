import type { Box, Look } from '../../domain/look.ts'
import { chroma, contrast, isOther } from './color.ts'

/** Buttons that are drawn alike, as one. */
export interface ButtonStyle extends Box {
  readonly count: number
}

/** Frames apart: the same button as a link and as an element has that of the browser. */
const keyOf = ({ background, color, border, corners }: Box): string => JSON.stringify([background, color, background === '' ? border : '', corners])

/** How much a style asks to be pressed. */
function weight({ background, count, top, area }: ButtonStyle, page: string): number {
  const filled = background === '' ? 0 : Math.min(7, contrast(background, page)) / 7 + chroma(background)
  return filled * 4 + Math.min(count, 5) * 0.2 + (top < 900 ? 0.6 : 0) + Math.min(area, 12_000) / 20_000
}

/** The styles of buttons on a page: the one that asks most to be pressed, and the next. */
export function buttonStyles({ buttons }: Look, page: string): { readonly primary: ButtonStyle | null; readonly secondary: ButtonStyle | null } {
  const styles = new Map<string, ButtonStyle>()
  for (const button of [...buttons].sort((a, b) => a.top - b.top)) {
    // What has neither ground nor frame is a word among others.
    if (button.background === '' && button.border === '') continue
    const known = styles.get(keyOf(button))
    styles.set(keyOf(button), known === undefined ? { ...button, count: 1 } : { ...known, count: known.count + 1, area: Math.max(known.area, button.area) })
  }
  const ranked = [...styles.values()].sort((a, b) => weight(b, page) - weight(a, page))
  const primary = ranked.find(({ background }) => background !== '' && isOther(background, page)) ?? null
  const secondary = primary === null ? null : (ranked.find((style) => style !== primary && (style.background === '' || primary.background === '' || isOther(style.background, primary.background))) ?? null)
  return { primary, secondary }
}
