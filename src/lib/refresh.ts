/**
 * The syntax of a refresh (HTML standard, shared declarative refresh steps): seconds, then an address. Linear for trimmed
 * text.
 */
const refresh = /^(\d+(?:\.[\d.]*)?|\.[\d.]*)(?:\s*[;,]|\s)\s*(?:url\s*=\s*)?(?:"([^"]*)|'([^']*)|(\S.*))/is

/**
 * A redirect within this time happens before anybody reads the page; a later one gives time to read, or reloads the page.
 */
const soonSeconds = 3

/** The address, as written, in the value of a `meta` refresh or a `Refresh` header, which browsers follow alike; of those within so many seconds. */
export function referenceIn(content = '', mostSeconds = Number.POSITIVE_INFINITY): string | undefined {
  const [, seconds, double, single, bare] = refresh.exec(content.trim()) ?? []
  return seconds !== undefined && Number.parseFloat(`0${seconds}`) <= mostSeconds ? (double ?? single ?? bare) : undefined
}

/** The same of those that happen before anybody reads the page. */
export const soonReferenceIn = (content?: string): string | undefined => referenceIn(content, soonSeconds)
