import { asDrawn } from '../finish/right-to-left.ts'

/** Codes have two bytes; 0 is not used. */
const mostLetters = 65_000

const hex = (number: number): string => number.toString(16).padStart(4, '0')

/** Assigns codes to the letters of a file. */
export class Letters {
  readonly #codes = new Map<string, number>()

  /** The codes of a text in the order in which they are drawn: readers take it for that. */
  codesOf(text: string): string {
    return [...asDrawn(text)].map((letter) => {
      const code = this.#codes.get(letter) ?? this.#codes.size + 1
      if (code <= mostLetters) this.#codes.set(letter, code)
      return code <= mostLetters ? hex(code) : ''
    }).join('')
  }

  /** The table from codes back to letters (PDF 1.7, 9.10.3). */
  toUnicode(): string {
    const rows = [...this.#codes].map(([letter, code]) => `<${hex(code)}> <${letter.split('').map((unit) => hex(unit.charCodeAt(0))).join('')}>`)
    const blocks = Array.from({ length: Math.ceil(rows.length / 100) }, (_, i) => rows.slice(i * 100, i * 100 + 100))
    return `begincmap\n1 begincodespacerange\n<0000> <ffff>\nendcodespacerange\n${blocks.map((block) => `${block.length} beginbfchar\n${block.join('\n')}\nendbfchar`).join('\n')}\nendcmap`
  }
}

/** A page's content stream, and the entries of its dictionary but contents and fonts. */
export interface NewPage {
  readonly content: string
  readonly rest: string
}

/** The styles of letters, which the native library knows by the names of their fonts, and the resources for them. */
const fonts = { F1: 'Anew', F2: 'Anew-Bold', F3: 'Anew-Italic', F4: 'Anew-BoldItalic', F5: 'Courier' } as const
export type FontTag = keyof typeof fonts

/** A number as it is written in a content stream. */
export const fixed = (number: number): string => (Number.isFinite(number) ? number.toFixed(3) : '0')

/** Draws a text with its letters spread over a width; `place` is the text matrix (PDF 1.7, 9.4.2), `codes` are hexadecimal. */
export function drawn(codes: string, { font, size, width, place }: { readonly font: FontTag; readonly size: number; readonly width: number; readonly place: readonly number[] }): string {
  return `BT /${font} ${fixed(size)} Tf ${fixed((100 * width) / (size * (codes.length / 4)))} Tz ${place.map(fixed).join(' ')} Tm <${codes}> Tj ET`
}

/** A link annotation; the address must be ASCII. */
export const linkTo = (url: string, rect: readonly number[]): string => `<< /Type /Annot /Subtype /Link /Rect [${rect.map(fixed).join(' ')}] /A << /S /URI /URI (${url.replace(/[()\\]/g, '\\$&')}) >> >>`

const stream = (content: string): string => `<< /Length ${content.length} >>\nstream\n${content}\nendstream`

/** A file of these pages, with fonts that say which letters their codes are. */
export function newFile(pages: readonly NewPage[], letters: Letters): Buffer {
  const tags = Object.entries(fonts)
  const firstPage = 4 + tags.length * 2
  const fontsOf = ({ content }: NewPage): string => tags.map(([tag], i) => (content.includes(`/${tag} `) ? `/${tag} ${4 + 2 * i} 0 R` : '')).join(' ')
  return fileOf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${pages.map((_, i) => `${firstPage + 1 + 2 * i} 0 R`).join(' ')}] /Count ${pages.length} >>`,
    stream(letters.toUnicode()),
    ...tags.flatMap(([, name], i) => [`<< /Type /Font /Subtype /Type0 /BaseFont /${name} /Encoding /Identity-H /DescendantFonts [${5 + 2 * i} 0 R] /ToUnicode 3 0 R >>`, `<< /Type /Font /Subtype /CIDFontType0 /BaseFont /${name} /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> /DW 1000 >>`]),
    ...pages.flatMap((page, i) => [stream(page.content), `<< /Type /Page /Parent 2 0 R ${page.rest} /Contents ${firstPage + 2 * i} 0 R /Resources << /Font << ${fontsOf(page)} >> >> >>`]),
  ])
}

/** Numbered objects as a file with a cross-reference table. */
function fileOf(objects: readonly string[]): Buffer {
  let text = '%PDF-1.5\n'
  const places = objects.map((body, i) => {
    const place = text.length
    text += `${i + 1} 0 obj\n${body}\nendobj\n`
    return `${String(place).padStart(10, '0')} 00000 n \n`
  })
  return Buffer.from(`${text}xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${places.join('')}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${text.length}\n%%EOF\n`, 'latin1')
}
