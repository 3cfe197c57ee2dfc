import type { Look, Share } from '../../domain/pages/look.ts'
import type { Branding } from '../../spec/branding.ts'
import type { ButtonStyle } from './buttons.ts'
import { chroma, contrast, isOther } from './color.ts'

type Colors = NonNullable<Branding['colors']>

/** A brand colour is at least this far from grey. */
const leastChroma = 0.15
/** Least contrast between text and background. */
const leastContrast = 3

/** The signs that a colour is the brand's own, with their weights. */
function signs(look: Look, page: string, button: ButtonStyle | null): readonly Share[] {
  const byName = (pattern: RegExp, weight: number): readonly Share[] => look.named.filter(([name]) => pattern.test(name)).map(([, color]): Share => [color, weight])
  const all = look.painted.reduce((sum, [, area]) => sum + area, 0) || 1
  return [
    ...byName(/^--(?:[\w-]*-)?(?:primary|brand)(?:-color|-500|-600|-base|-default|-main)?$/i, 2.5),
    ...byName(/^theme-color$/, 1),
    ...(button === null ? [] : [[button.background, 3] as const]),
    ...look.painted.filter(([color]) => color !== page && chroma(color) >= leastChroma).map(([color, area]): Share => [color, Math.min(1.5, (area / all) * 12)]),
    ...look.links.slice(0, 1).map(([color]): Share => [color, chroma(color) >= leastChroma && !byBrowser.has(color) ? 1.2 : 0]),
    ...Object.values(look.headings).flatMap((one): readonly Share[] => (one !== null && one.color !== '' && chroma(one.color) >= leastChroma ? [[one.color, 0.6]] : [])),
    ...look.icons.colors.slice(0, 1).map(([color]): Share => [color, chroma(color) >= leastChroma ? 0.4 : 0]),
  ]
}

/** Merges colours that are hardly different; the most important first. */
function gathered(shares: readonly Share[]): readonly Share[] {
  const groups: { color: string; amount: number }[] = []
  for (const [color, amount] of [...shares].sort((a, b) => b[1] - a[1])) {
    const group = groups.find((one) => !isOther(one.color, color))
    if (group === undefined) groups.push({ color, amount })
    else group.amount += amount
  }
  return groups.map(({ color, amount }): Share => [color, amount]).sort((a, b) => b[1] - a[1])
}

/** Default link colours of browsers. */
const byBrowser: ReadonlySet<string> = new Set(['#0000ee', '#551a8b', '#9e9eff'])

const named = (look: Look, pattern: RegExp): string | undefined => look.named.find(([name]) => pattern.test(name))?.[1]

/**
 * The brand colours: the first, and others of a different hue; greys only when the page names them or uses them for
 * buttons.
 */
function brand(look: Look, page: string, buttons: { readonly primary: ButtonStyle | null; readonly secondary: ButtonStyle | null }): Pick<Colors, 'primary' | 'secondary' | 'accent'> {
  const ranked = gathered(signs(look, page, buttons.primary)).filter(([color, amount]) => amount >= 0.3 && isOther(color, page))
  const primary = ranked[0]?.[0]
  if (primary === undefined) return {}
  const fresh = (color: string | undefined, ...known: readonly (string | undefined)[]): string | undefined =>
    color !== undefined && color !== '' && isOther(color, page) && known.every((one) => one === undefined || isOther(one, color)) ? color : undefined
  const hues = ranked.slice(1).map(([color]) => color).filter((color) => chroma(color) >= leastChroma)
  const secondary = [named(look, /^--(?:[\w-]*-)?secondary(?:-color|-500|-600|-base|-default|-main)?$/i), buttons.secondary?.background, ...hues].map((color) => fresh(color, primary)).find((color) => color !== undefined)
  const accent = [named(look, /^--(?:[\w-]*-)?accent(?:-color|-500|-600|-base|-default|-main)?$/i), ...hues].map((color) => fresh(color, primary, secondary)).find((color) => color !== undefined)
  return { primary, secondary, accent }
}

/** The background of most of the page. */
export const groundOf = ({ painted }: Look): string | undefined => painted[0]?.[0]

/** The ten colours, by area, contrast and use; roles without evidence are omitted. */
export function paletteOf(look: Look, buttons: { readonly primary: ButtonStyle | null; readonly secondary: ButtonStyle | null }): Colors {
  const page = groundOf(look)
  if (page === undefined) return {}
  const readable = look.text.filter(([color]) => contrast(color, page) >= leastContrast)
  const textPrimary = readable[0]?.[0]
  const spoken = look.text.reduce((sum, [, characters]) => sum + characters, 0)
  const textSecondary = textPrimary === undefined ? undefined : readable.slice(1).find(([color, characters]) => isOther(color, textPrimary) && characters >= spoken * 0.03 && contrast(color, page) < contrast(textPrimary, page))?.[0]
  return {
    ...brand(look, page, buttons),
    background: page,
    textPrimary,
    textSecondary,
    link: look.links[0]?.[0],
    success: named(look, /^(?:--(?:[\w-]*-)?success(?:-color|-500|-600|-base|-main)?|\.success)$/i),
    warning: named(look, /^(?:--(?:[\w-]*-)?warning(?:-color|-500|-600|-base|-main)?|\.warning)$/i),
    error: named(look, /^(?:--(?:[\w-]*-)?(?:error|danger)(?:-color|-500|-600|-base|-main)?|\.(?:error|danger))$/i),
  }
}
