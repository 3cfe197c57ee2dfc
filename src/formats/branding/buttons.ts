import type { Box, Look } from '../../domain/pages/look.ts'
import { chroma, contrast, isOther } from './color.ts'

/** Buttons with the same style, as one. */
export interface ButtonStyle extends Box {
  readonly count: number
}

/** The key of a button's style. Without the font, because the same button as a link has that of the browser. */
const keyOf = ({ background, color, border, corners }: Box): string => JSON.stringify([background, color, background === '' ? border : '', corners])

/** How prominent a button style is. */
function weight({ background, count, top, area }: ButtonStyle, page: string): number {
  const filled = background === '' ? 0 : Math.min(7, contrast(background, page)) / 7 + chroma(background)
  return filled * 4 + Math.min(count, 5) * 0.2 + (top < 900 ? 0.6 : 0) + Math.min(area, 12_000) / 20_000
}

/** The styles of a page's buttons: the most prominent one, and the second. */
export function buttonStyles({ buttons }: Look, page: string): { readonly primary: ButtonStyle | null; readonly secondary: ButtonStyle | null } {
  const styles = new Map<string, ButtonStyle>()
  for (const button of [...buttons].sort((a, b) => a.top - b.top)) {
    // Without background and border it is only a word.
    if (button.background === '' && button.border === '') continue
    const known = styles.get(keyOf(button))
    styles.set(keyOf(button), known === undefined ? { ...button, count: 1 } : { ...known, count: known.count + 1, area: Math.max(known.area, button.area) })
  }
  const ranked = [...styles.values()].sort((a, b) => weight(b, page) - weight(a, page))
  const primary = ranked.find(({ background }) => background !== '' && isOther(background, page)) ?? null
  const secondary = primary === null ? null : (ranked.find((style) => style !== primary && (style.background === '' || primary.background === '' || isOther(style.background, primary.background))) ?? null)
  return { primary, secondary }
}
