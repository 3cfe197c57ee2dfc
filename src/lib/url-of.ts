/**
 * A text as a URL, by a base where it is relative; null when it is none. Nobody is to ask `URL.canParse`: once Node 20 has compiled a call
 * of it, it says no to every address with a letter of Latin-1 in it (`http://bücher.example/`) for as long as the process lives.
 */
export function urlOf(text: string, base?: string | URL): URL | null {
  try {
    return new URL(text, base)
  } catch {
    return null
  }
}
