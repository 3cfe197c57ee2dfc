type Rgb = readonly [number, number, number]

const rgb = (hex: string): Rgb => [Number.parseInt(hex.slice(1, 3), 16), Number.parseInt(hex.slice(3, 5), 16), Number.parseInt(hex.slice(5, 7), 16)]

/** The brightness of a colour, 0 to 1 (WCAG 2, relative luminance). */
export function luminance(hex: string): number {
  const [r, g, b] = rgb(hex).map((one) => (one / 255 <= 0.04045 ? one / 255 / 12.92 : ((one / 255 + 0.055) / 1.055) ** 2.4))
  return 0.2126 * (r ?? 0) + 0.7152 * (g ?? 0) + 0.0722 * (b ?? 0)
}

/** The contrast of two colours, 1 to 21 (WCAG 2). */
export function contrast(a: string, b: string): number {
  const [light, dark] = [luminance(a), luminance(b)].sort((x, y) => y - x)
  return ((light ?? 0) + 0.05) / ((dark ?? 0) + 0.05)
}

/** How far a colour is from grey, 0 to 1. */
export function chroma(hex: string): number {
  const parts = rgb(hex)
  return (Math.max(...parts) - Math.min(...parts)) / 255
}

/** How different two colours are, 0 to 1. */
function distance(a: string, b: string): number {
  const [[r, g, b1], [r2, g2, b2]] = [rgb(a), rgb(b)]
  return Math.hypot(r - r2, g - g2, b1 - b2) / 441.7
}

/** Whether two colours are clearly different. */
export const isOther = (a: string, b: string): boolean => distance(a, b) > 0.08
