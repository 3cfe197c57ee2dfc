/** The families in a `font-family` value, without quotation marks. */
export function fontStack(families: string): string[] {
  return (families.match(/"[^"]*"|'[^']*'|[^,]+/g) ?? []).map((one) => one.trim().replace(/^["']|["']$/g, '')).filter((one) => one !== '')
}
