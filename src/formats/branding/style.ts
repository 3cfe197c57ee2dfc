import type { Look } from '../../domain/pages/look.ts'
import type { Branding } from '../../spec/branding.ts'
import { fontStack } from './font-stack.ts'

type Typography = NonNullable<Branding['typography']>

const familyOf = (families: string | undefined): string | undefined => (families === undefined ? undefined : fontStack(families)[0])

/** Font families by the amount of text, each once. */
export function fontsOf({ families }: Look): { family: string }[] {
  return [...new Set(families.flatMap(([stack]) => familyOf(stack) ?? []))].slice(0, 6).map((family) => ({ family }))
}

/** The most used font weight within a range. */
const weightIn = ({ weights }: Look, from: number, to: number): number | undefined => weights.find(([weight]) => weight >= from && weight <= to)?.[0]

const lineOf = (line: string | undefined): number | undefined => (line === undefined || line === '' ? undefined : Number(line))

/** Typography: fonts, sizes and weights. */
export function typographyOf(look: Look): Typography {
  const { h1, h2, h3 } = look.headings
  const heading = h1 ?? h2 ?? h3
  const most = look.families[0]?.[0]
  const text = look.paragraph ?? look.body
  const stack = (families: string | undefined): string[] | undefined => (families === undefined ? undefined : fontStack(families))
  return {
    fontFamilies: { primary: familyOf(most), heading: familyOf(heading?.family), code: familyOf(look.code?.family) },
    fontStacks: { primary: stack(most), heading: stack(heading?.family), body: stack(look.body?.family), paragraph: stack(look.paragraph?.family) },
    fontSizes: { h1: h1?.size, h2: h2?.size, h3: h3?.size, body: text?.size, small: look.small?.size },
    fontWeights: { light: weightIn(look, 100, 300), regular: weightIn(look, 350, 450), medium: weightIn(look, 500, 500), bold: weightIn(look, 600, 900), h1: h1?.weight, h2: h2?.weight, body: text?.weight },
    lineHeights: { heading: lineOf(heading?.line), body: lineOf(text?.line) },
  }
}

/** The largest unit of which most lengths are multiples; undefined when there is none. */
function unitOf({ lengths }: Look): number | undefined {
  const all = lengths.reduce((sum, [, count]) => sum + count, 0)
  if (all < 8) return undefined
  const share = (unit: number): number => lengths.filter(([pixels]) => pixels % unit === 0).reduce((sum, [, count]) => sum + count, 0) / all
  return [10, 8, 6, 5, 4].find((unit) => share(unit) >= 0.8)
}

/** The pixels of lengths as the browser computes them ("12px 24px"); null where one is none. */
function pixelsOf(lengths: string | undefined): number[] | null {
  const values = (lengths ?? '').split(' ').map((length) => (length.endsWith('px') ? Number(length.slice(0, -2)) : Number.NaN))
  return values.some(Number.isNaN) ? null : values
}

type Lengths = Readonly<Record<string, number>>

/** The sides of a padding (CSS Box Model 3, 4.2): one number where all are equal, else what is above and beside, else each. */
function paddingOf(name: string, padding: string | undefined): Lengths {
  const [top = 0, right = top, bottom = top, left = right] = pixelsOf(padding) ?? []
  if (right !== left || top !== bottom) return { [`${name}Top`]: top, [`${name}Right`]: right, [`${name}Bottom`]: bottom, [`${name}Left`]: left }
  return top === right ? { [name]: top } : { [`${name}Vertical`]: top, [`${name}Horizontal`]: right }
}

/** A margin above and below: one number where both are equal. */
function marginOf(name: string, margin: string | undefined): Lengths {
  const [top = 0, bottom = top] = pixelsOf(margin) ?? []
  return top === bottom ? { [name]: top } : { [`${name}Top`]: top, [`${name}Bottom`]: bottom }
}

/** Joins lengths, without what is 0 on all sides; undefined where nothing is left. */
function joined(...parts: readonly Lengths[]): Record<string, number> | undefined {
  const kept = parts.filter((part) => Object.values(part).some((length) => length !== 0))
  return kept.length === 0 ? undefined : Object.assign({}, ...kept)
}

/** Spacing between elements. */
export function spacingOf(look: Look, button: { readonly padding: string } | null): NonNullable<Branding['spacing']> {
  const gap = Number.parseFloat(look.grid?.gap ?? '')
  return {
    baseUnit: unitOf(look),
    borderRadius: look.radii[0]?.[0],
    gridGutter: Number.isNaN(gap) ? undefined : gap,
    padding: joined(paddingOf('button', button?.padding), paddingOf('input', look.input?.padding), paddingOf('section', look.sectionPadding)),
    margins: joined(marginOf('heading', look.margins.heading), marginOf('paragraph', look.margins.paragraph), marginOf('section', look.margins.section)),
  }
}

/** The style of most icons; undefined when there are few, or they are mixed. */
export function iconsOf({ icons: { outline, filled, colors } }: Look): NonNullable<Branding['icons']> {
  const all = outline + filled
  const style = all < 2 ? undefined : outline >= all * 0.7 ? 'outline' : filled >= all * 0.7 ? 'filled' : undefined
  return { style, primaryColor: all < 2 ? undefined : colors[0]?.[0] }
}

const pixels = (height: number): string | undefined => (height > 0 ? `${height}px` : undefined)

/** Layout and dimensions of the page. */
export function layoutOf({ grid, maxWidth, headerHeight, footerHeight }: Look): NonNullable<Branding['layout']> {
  return { grid: { columns: grid?.columns, maxWidth: maxWidth === '' ? undefined : maxWidth }, headerHeight: pixels(headerHeight), footerHeight: pixels(footerHeight) }
}

export function animationsOf({ transitions: [most] }: Look): NonNullable<Branding['animations']> {
  return { transitionDuration: most?.[0], easing: most?.[1] }
}
