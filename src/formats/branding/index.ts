import type { PageReading } from '../../content/reading.ts'
import type { Box, Look } from '../../domain/pages/look.ts'
import type { Branding } from '../../spec/branding.ts'
import type { FormatHandler } from '../format.ts'
import { buttonStyles } from './buttons.ts'
import { luminance } from './color.ts'
import { groundOf, paletteOf } from './palette.ts'
import { animationsOf, fontsOf, iconsOf, layoutOf, spacingOf, typographyOf } from './style.ts'

const some = (text: string | undefined): string | undefined => (text === '' ? undefined : text)

/** The value without its empty parts; undefined when nothing remains. */
function present<T>(value: T): T | undefined {
  if (Array.isArray(value)) return value.length === 0 ? undefined : value
  if (typeof value !== 'object' || value === null) return value
  const kept = Object.entries(value).map(([key, one]) => [key, present(one)] as const).filter(([, one]) => one !== undefined) // a pair
  return kept.length === 0 ? undefined : (Object.fromEntries(kept) as T) // the same keys, without the missing ones
}

type Button = NonNullable<NonNullable<Branding['components']>['buttonPrimary']>

function cornersOf({ corners: [topLeft, topRight, bottomRight, bottomLeft] }: Box): Pick<Button, 'borderRadius' | 'borderRadiusCorners'> {
  const alike = topLeft === topRight && topLeft === bottomRight && topLeft === bottomLeft
  return alike ? { borderRadius: topLeft } : { borderRadiusCorners: { topLeft, topRight, bottomRight, bottomLeft } }
}

function buttonOf(box: Box | null): Button | undefined {
  if (box === null) return undefined
  // A button without a background has that of the page.
  return { background: some(box.background), textColor: some(box.color), borderColor: some(box.border), ...cornersOf(box), shadow: some(box.shadow) }
}

function inputOf({ input }: Look): NonNullable<Branding['components']>['input'] {
  if (input === null) return undefined
  const { background, color, border, focusBorder, shadow } = input
  return { background: some(background), textColor: some(color), borderColor: some(border), focusBorderColor: focusBorder === border ? undefined : some(focusBorder), borderRadius: cornersOf(input).borderRadius, shadow: some(shadow) }
}

const text = (value: string | readonly string[] | undefined): string | undefined => (typeof value === 'string' ? some(value) : undefined)

/** The branding of a page, from the measurements of its look. */
export function brandingOf(look: Look, metadata: ReturnType<PageReading['metadata']>): Branding {
  const page = groundOf(look)
  const buttons = buttonStyles(look, page ?? '#ffffff')
  const { logo } = look
  const whole: Branding = {
    colorScheme: page === undefined ? undefined : luminance(page) < 0.2 ? 'dark' : 'light',
    brandName: text(metadata['ogSiteName']),
    logo: logo?.src,
    colors: paletteOf(look, buttons),
    fonts: fontsOf(look),
    typography: typographyOf(look),
    spacing: spacingOf(look, buttons.primary),
    components: { buttonPrimary: buttonOf(buttons.primary), buttonSecondary: buttonOf(buttons.secondary), input: inputOf(look) },
    icons: iconsOf(look),
    images: { logo: logo?.src, logoHref: some(logo?.href), logoAlt: some(logo?.alt), favicon: text(metadata['favicon']), ogImage: text(metadata['ogImage']) },
    animations: animationsOf(look),
    layout: layoutOf(look),
  }
  return present(whole) ?? {}
}

export const branding: FormatHandler<'branding'> = {
  needs: ['branding'],
  run(reading) {
    const { look, engine } = reading.capture
    const missing = engine === 'browser' ? 'branding: the page could not be measured in time.' : 'branding: the address leads to a file, which has none.'
    return look === undefined ? { warning: missing } : { branding: brandingOf(look, reading.metadata()) }
  },
}
