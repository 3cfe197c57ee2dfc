/** What follows `](`: an address and a title, up to the closing parenthesis. */
const target = /^[^\s)]*(?:\s+"[^"\n]*")?\)/

/** The text of markdown without the addresses of links and pictures, and its headings, one per line. Linear. */
export function plainText(markdown: string): { readonly text: string; readonly headings: string } {
  const [first = '', ...rest] = markdown.split('](')
  const text = first + rest.map((piece) => ` ${piece.replace(target, '')}`).join('')
  const headings = text.split('\n').filter((line) => /^#{1,6} /.test(line))
  return { text, headings: headings.join('\n') }
}
