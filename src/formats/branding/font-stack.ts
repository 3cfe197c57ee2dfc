/** The families of a `font-family`, as they are written in it. */
export function fontStack(families: string): string[] {
  return (families.match(/"[^"]*"|'[^']*'|[^,]+/g) ?? []).map((one) => one.trim().replace(/^["']|["']$/g, '')).filter((one) => one !== '')
}
