/** The names of glyphs that fonts in the compact format need not write themselves (Adobe Technical Note 5176, appendix A). */
const standard = `
.notdef space exclam quotedbl numbersign dollar percent ampersand quoteright parenleft parenright asterisk plus comma hyphen period slash zero one two
three four five six seven eight nine colon semicolon less equal greater question at A B C D E F G H I J K L M N O P Q R S T U V W X Y Z bracketleft
backslash bracketright asciicircum underscore quoteleft a b c d e f g h i j k l m n o p q r s t u v w x y z braceleft bar braceright asciitilde
exclamdown cent sterling fraction yen florin section currency quotesingle quotedblleft guillemotleft guilsinglleft guilsinglright fi fl endash dagger
daggerdbl periodcentered paragraph bullet quotesinglbase quotedblbase quotedblright guillemotright ellipsis perthousand questiondown grave acute
circumflex tilde macron breve dotaccent dieresis ring cedilla hungarumlaut ogonek caron emdash AE ordfeminine Lslash Oslash OE ordmasculine ae dotlessi
lslash oslash oe germandbls onesuperior logicalnot mu trademark Eth onehalf plusminus Thorn onequarter divide brokenbar degree thorn threequarters
twosuperior registered minus eth multiply threesuperior copyright Aacute Acircumflex Adieresis Agrave Aring Atilde Ccedilla Eacute Ecircumflex
Edieresis Egrave Iacute Icircumflex Idieresis Igrave Ntilde Oacute Ocircumflex Odieresis Ograve Otilde Scaron Uacute Ucircumflex Udieresis Ugrave
Yacute Ydieresis Zcaron aacute acircumflex adieresis agrave aring atilde ccedilla eacute ecircumflex edieresis egrave iacute icircumflex idieresis
igrave ntilde oacute ocircumflex odieresis ograve otilde scaron uacute ucircumflex udieresis ugrave yacute ydieresis zcaron exclamsmall
Hungarumlautsmall dollaroldstyle dollarsuperior ampersandsmall Acutesmall parenleftsuperior parenrightsuperior twodotenleader onedotenleader
zerooldstyle oneoldstyle twooldstyle threeoldstyle fouroldstyle fiveoldstyle sixoldstyle sevenoldstyle eightoldstyle nineoldstyle commasuperior
threequartersemdash periodsuperior questionsmall asuperior bsuperior centsuperior dsuperior esuperior isuperior lsuperior msuperior nsuperior osuperior
rsuperior ssuperior tsuperior ff ffi ffl parenleftinferior parenrightinferior Circumflexsmall hyphensuperior Gravesmall Asmall Bsmall Csmall Dsmall
Esmall Fsmall Gsmall Hsmall Ismall Jsmall Ksmall Lsmall Msmall Nsmall Osmall Psmall Qsmall Rsmall Ssmall Tsmall Usmall Vsmall Wsmall Xsmall Ysmall
Zsmall colonmonetary onefitted rupiah Tildesmall exclamdownsmall centoldstyle Lslashsmall Scaronsmall Zcaronsmall Dieresissmall Brevesmall Caronsmall
Dotaccentsmall Macronsmall figuredash hypheninferior Ogoneksmall Ringsmall Cedillasmall questiondownsmall oneeighth threeeighths fiveeighths
seveneighths onethird twothirds zerosuperior foursuperior fivesuperior sixsuperior sevensuperior eightsuperior ninesuperior zeroinferior oneinferior
twoinferior threeinferior fourinferior fiveinferior sixinferior seveninferior eightinferior nineinferior centinferior dollarinferior periodinferior
commainferior Agravesmall Aacutesmall Acircumflexsmall Atildesmall Adieresissmall Aringsmall AEsmall Ccedillasmall Egravesmall Eacutesmall
Ecircumflexsmall Edieresissmall Igravesmall Iacutesmall Icircumflexsmall Idieresissmall Ethsmall Ntildesmall Ogravesmall Oacutesmall Ocircumflexsmall
Otildesmall Odieresissmall OEsmall Oslashsmall Ugravesmall Uacutesmall Ucircumflexsmall Udieresissmall Yacutesmall Thornsmall Ydieresissmall 001.000
001.001 001.002 001.003 Black Bold Book Light Medium Regular Roman Semibold
`.trim().split(/\s+/)

/** Most glyphs that one byte can name, and some that it cannot. */
const mostGlyphs = 2_000
const mostStrings = 5_000

/** Where the parts of an INDEX are, as pairs of start and end, and where it ends. */
interface Index {
  readonly parts: readonly (readonly [start: number, end: number])[]
  readonly end: number
}

/** Reads numbers from a font; 0 behind its end. */
class Font {
  readonly #bytes: Buffer

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  number(at: number, size = 1): number {
    let all = 0
    for (let i = at; i < at + size; i++) all = all * 256 + (this.#bytes[i] ?? 0)
    return all
  }

  text([start, end]: readonly [number, number]): string {
    return this.#bytes.toString('latin1', start, end)
  }

  index(at: number): Index {
    const count = this.number(at, 2)
    if (count === 0) return { parts: [], end: at + 2 }
    const size = Math.min(this.number(at + 2), 4)
    const data = at + 2 + (count + 1) * size
    const place = (i: number): number => Math.min(data + this.number(at + 3 + i * size, size), this.#bytes.length)
    return { parts: Array.from({ length: Math.min(count, mostStrings) }, (_, i) => [place(i), place(i + 1)]), end: place(count) }
  }

  /** The last operand of some operators of one byte in a DICT. */
  dict([start, end]: readonly [number, number]): ReadonlyMap<number, number> {
    const found = new Map<number, number>()
    let [operand, at] = [0, start]
    while (at < end) {
      const first = this.number(at)
      if (first === 30) {
        for (at++; at < end && this.number(at) % 16 !== 15 && this.number(at) < 240; at++);
        at++
      } else if (first <= 21) {
        if (first !== 12) found.set(first, operand)
        at += first === 12 ? 2 : 1
      } else {
        const size = first === 28 ? 2 : first === 29 ? 4 : first >= 247 ? 1 : 0
        operand = first <= 29 ? this.number(at + 1, size) : size === 0 ? first - 139 : (first - 247) * 256 + this.number(at + 1) + 108
        at += 1 + size
      }
    }
    return found
  }
}

/** The numbers of the names of glyphs, in the order of the glyphs. */
function charsetOf(font: Font, at: number, glyphs: number): number[] {
  const names = [0]
  if (at <= 2) return Array.from({ length: glyphs }, (_, i) => i)
  const format = font.number(at)
  const size = format === 2 ? 2 : 1
  for (let from = at + 1; names.length < glyphs; from += format === 0 ? 2 : 2 + size) {
    const more = format === 0 ? 0 : font.number(from + 2, size)
    for (let i = 0; i <= more && names.length < glyphs; i++) names.push(font.number(from, 2) + i)
  }
  return names
}

/** The names of the glyphs of an embedded font in the compact format (CFF) by their codes; null when it uses a usual encoding. */
export function cffNames(bytes: Buffer): ReadonlyMap<number, string> | null {
  const font = new Font(bytes)
  const heads = font.index(font.index(font.number(2)).end)
  const strings = font.index(heads.end).parts
  const top = font.dict(heads.parts[0] ?? [0, 0])
  const encoding = top.get(16) ?? 0
  if (encoding <= 1) return null
  const glyphs = Math.min(font.number(top.get(17) ?? 0, 2), mostGlyphs)
  const names = charsetOf(font, top.get(15) ?? 0, glyphs)
  const nameOf = (number: number): string => {
    const own = strings[number - standard.length]
    return standard[number] ?? (own === undefined ? '' : font.text(own))
  }
  const found = new Map<number, string>()
  const format = font.number(encoding)
  const count = font.number(encoding + 1)
  let glyph = 1
  let at = encoding + 2
  for (let i = 0; i < count; i++, at += format % 128 === 0 ? 1 : 2) {
    const more = format % 128 === 0 ? 0 : font.number(at + 1)
    for (let j = 0; j <= more; j++) found.set(font.number(at) + j, nameOf(names[glyph++] ?? 0))
  }
  const others = format < 128 ? 0 : font.number(at)
  for (let i = 0; i < others; i++) found.set(font.number(at + 1 + i * 3), nameOf(font.number(at + 2 + i * 3, 2)))
  return found
}
