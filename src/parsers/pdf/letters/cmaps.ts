import iconv from 'iconv-lite'
import { type Collection, cidTable } from './cid-tables.ts'

/** First and last code of a range, in hexadecimal; two digits per byte. */
type CodeRange = readonly [first: string, last: string]

/** How a predefined CMap (PDF 1.7, 9.7.5.2) encodes letters. */
interface Encoding {
  readonly ranges: readonly CodeRange[]
  /** The letters of codes that are this many bytes long; 0 for codes without a letter. */
  readonly letters: (codes: readonly number[], bytes: number) => readonly number[]
}

const surrogates = (code: number): number => (((code >>> 16) & 0x3ff) << 10) + (code & 0x3ff) + 0x10000
const unicode: Readonly<Record<string, Encoding>> = {
  UCS2: { ranges: [['0000', 'ffff']], letters: (codes) => codes },
  UTF16: { ranges: [['0000', 'd7ff'], ['d800dc00', 'dbffdfff'], ['e000', 'ffff']], letters: (codes, bytes) => (bytes === 4 ? codes.map(surrogates) : codes) },
  UTF32: { ranges: [['00000000', '0010ffff']], letters: (codes) => codes },
}

/**
 * A legacy encoding with codes of one or two bytes. Each code is decoded on a line of its own, so that an invalid one does
 * not affect the next.
 */
function legacy(name: string, ranges: readonly CodeRange[], bits = 0): Encoding {
  const letters = (codes: readonly number[], bytes: number): number[] => {
    const lines = Buffer.from(codes.flatMap((code) => [...(bytes === 1 ? [] : [(code | bits) >> 8]), (code | bits) & 255, 10]))
    return iconv.decode(lines, name).split('\n').map((line) => ([...line].length === 1 ? (line.codePointAt(0) ?? 0) : 0))
  }
  return { ranges, letters }
}

const single: CodeRange = ['20', '7e']
const sevenBits: readonly CodeRange[] = [['2121', '7e7e']]
const legacies: readonly (readonly [name: RegExp, collection: Collection, encoding: Encoding])[] = [
  [/RKSJ-/, 'Japan1', legacy('cp932', [single, ['8140', '9ffc'], ['a0', 'df'], ['e040', 'fcfc']])],
  [/^(?:78-)?EUC-/, 'Japan1', legacy('euc-jp', [single, ['8ea0', '8edf'], ['a1a1', 'fefe']])],
  [/^(?:(?:78|Add|Ext|NWP)-)?[HV]$/, 'Japan1', legacy('euc-jp', sevenBits, 0x8080)],
  [/^GBT?-[HV]$/, 'GB1', legacy('gbk', sevenBits, 0x8080)],
  [/^GB/, 'GB1', legacy('gbk', [single, ['8140', 'fefe']])],
  [/^HK.*B5-/, 'CNS1', legacy('big5hkscs', [single, ['8740', 'fefe']])],
  [/B5/, 'CNS1', legacy('big5', [single, ['8140', 'fefe']])],
  [/^KSC-[HV]$/, 'Korea1', legacy('cp949', sevenBits, 0x8080)],
  [/^KSC(?!-Johab)/, 'Korea1', legacy('cp949', [single, ['8141', 'fefe']])],
]
/** Characters that encodings and collections use for each other. */
const doubles: ReadonlyMap<number, number> = new Map([[0xff5e, 0x301c], [0x2225, 0x2016], [0xff0d, 0x2212], [0xffe0, 0xa2], [0xffe1, 0xa3], [0xffe2, 0xac], [0x2015, 0x2014], [0xb7, 0x30fb], [0x2500, 0x2014]].flatMap(([a = 0, b = 0]) => [[a, b], [b, a]]))
const families: Readonly<Record<string, Collection>> = { JIS: 'Japan1', GB: 'GB1', CNS: 'CNS1', KS: 'Korea1' }

function known(name: string): readonly [Collection, Encoding] | null {
  const [, family = '', form = ''] = /^Uni(JIS|GB|CNS|KS)\w*-(UCS2|UTF16|UTF32)-/.exec(name) ?? []
  const [collection, encoding] = [families[family], unicode[form]]
  if (collection !== undefined && encoding !== undefined) return [collection, encoding]
  const found = legacies.find(([pattern]) => pattern.test(name))
  return found === undefined ? null : [found[1], found[2]]
}

const hex = (number: number, digits: number): string => number.toString(16).padStart(digits, '0')

/** The codes of a range in order; each byte stays within its own range. */
function* codesOf([first, last]: CodeRange): Generator<number> {
  const digits = first.length
  if (digits === 8 && first !== '00000000') {
    for (let high = 0xd840; high <= 0xd869; high++) for (let low = 0xdc00; low <= 0xdfff; low++) yield high * 0x10000 + low
    return
  }
  // These collections have no letters beyond plane 2.
  for (let code = Number.parseInt(first, 16); code <= Math.min(Number.parseInt(last, 16), 0x2ffff); code++) {
    const trail = code & 255
    if (digits !== 4 || (trail >= Number.parseInt(first.slice(2), 16) && trail <= Number.parseInt(last.slice(2), 16))) yield code
  }
}

function cmapText(collection: Collection, { ranges, letters }: Encoding, isVertical: boolean): string {
  const cids = cidTable(collection)?.cids
  const lines: string[] = []
  for (const range of ranges) {
    const digits = range[0].length
    let open: { code: number; cid: number; count: number } | null = null
    const end = (): void => {
      if (open !== null) lines.push(`<${hex(open.code, digits)}> <${hex(open.code + open.count - 1, digits)}> ${open.cid}`)
    }
    const codes = [...codesOf(range)]
    const all = letters(codes, digits / 2)
    for (const [i, code] of codes.entries()) {
      const found = all[i] ?? 0
      const cid = cids?.get(found) ?? cids?.get(doubles.get(found) ?? 0)
      if (cid === undefined) continue
      if (open !== null && code === open.code + open.count && cid === open.cid + open.count && (code & 255) !== 0) open.count++
      else {
        end()
        open = { code, cid, count: 1 }
      }
    }
    end()
  }
  const spaces = ranges.map(([first, last]) => `<${first}> <${last}>`)
  return `/WMode ${isVertical ? 1 : 0} def\n${spaces.length} begincodespacerange\n${spaces.join('\n')}\nendcodespacerange\n${lines.length} begincidrange\n${lines.join('\n')}\nendcidrange\nendcmap`
}

function lettersText(letters: Uint32Array): string {
  const utf16 = (letter: number): string => String.fromCodePoint(letter).split('').map((unit) => hex(unit.charCodeAt(0), 4)).join('')
  const lines = [...letters].flatMap((letter, cid) => (letter === 0 ? [] : [`<${hex(cid, 4)}> <${utf16(letter)}>`]))
  return `1 begincodespacerange\n<0000> <ffff>\nendcodespacerange\n${lines.length} beginbfchar\n${lines.join('\n')}\nendbfchar\nendcmap`
}

const made = new Map<string, Uint8Array>()

/** A CMap that every PDF reader must know, as the text of the resource; null for unknown names. */
function predefinedCMap(name: string): Uint8Array | null {
  const before = made.get(name)
  if (before !== undefined) return before
  const back = /^Adobe-(\w+)-UCS2$/.exec(name)?.[1]
  const table = back === undefined ? null : cidTable(back)
  const forth = known(name)
  const text = table !== null ? lettersText(table.letters) : forth === null ? null : cmapText(forth[0], forth[1], name.endsWith('V'))
  if (text === null) return null
  const bytes = new Uint8Array(Buffer.from(text, 'latin1'))
  made.set(name, bytes)
  return bytes
}

/** Gives CMaps to pdf.js, which asks for them by file name. */
export class CMapFactory {
  fetch({ kind, filename }: { readonly kind: string; readonly filename: string }): Promise<Uint8Array> {
    const found = kind === 'cMapUrl' ? predefinedCMap(filename) : null
    return found === null ? Promise.reject(new Error(`There is no ${filename}.`)) : Promise.resolve(new Uint8Array(found))
  }
}
