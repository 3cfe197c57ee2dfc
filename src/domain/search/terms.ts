import { detached } from '../../lib/detached.ts'

/**
 * Text as terms of the search index: words without case, width, accents and the inflections of their language; pairs of
 * characters for scripts without spaces. Both index and query must be converted here.
 */

/** Inflectional endings, longest first, and how many letters must remain. One is removed. */
interface Endings {
  readonly endings: readonly string[]
  readonly least: number
}

const romance: Endings = { endings: ['es', 'os', 'as', 'is', 'e', 'o', 'a', 'i', 's'], least: 4 }
const nordic: Endings = { endings: ['erna', 'arna', 'orna', 'erne', 'ene', 'er', 'ar', 'or', 'en', 'et', 'e', 'a', 's'], least: 4 }
const slavic: Endings = {
  endings: ['ами', 'ями', 'ого', 'его', 'ому', 'ему', 'ыми', 'ими', 'ах', 'ях', 'ов', 'ев', 'ой', 'ей', 'ый', 'ий', 'ая', 'яя', 'ое', 'ее', 'ые', 'ие', 'ом', 'ем', 'ам', 'ям', 'ую', 'юю', 'а', 'я', 'о', 'е', 'ы', 'и', 'у', 'ю', 'ь', 'й'],
  least: 3,
}

const byLanguage: Readonly<Record<string, Endings>> = {
  de: { endings: ['ern', 'em', 'en', 'er', 'es', 'e', 'n', 's'], least: 4 },
  fr: { endings: ['es', 'e', 's', 'x'], least: 4 },
  es: romance,
  pt: romance,
  it: romance,
  ca: romance,
  ro: romance,
  nl: { endings: ['en', 'e', 's'], least: 4 },
  sv: nordic,
  da: nordic,
  nb: nordic,
  no: nordic,
  ru: slavic,
  uk: slavic,
  bg: slavic,
}

const stops: Readonly<Record<string, ReadonlySet<string>>> = Object.fromEntries(
  Object.entries({
    en: 'a an the of to in on at for by with from and or but not is are was were be been it its this that these those as do does did has have had i you he she we they what which who when where why how',
    de: 'der die das den dem des ein eine einer einem einen und oder aber nicht ist sind war im in am an auf aus bei mit von zu zum zur wie was wer wo es ich du er sie wir ihr auch als fur',
    fr: 'le la les un une des du de et ou mais ne pas est sont en au aux dans sur par pour avec que qui ce cette il elle nous vous',
    es: 'el la los las un una de del y o pero no es son en al a por para con que se su lo como',
    it: 'il lo la i gli le un una di del della e o ma non sono in al a per con che si da',
    pt: 'o a os as um uma de do da dos das e ou mas nao em no na por para com que se',
    nl: 'de het een en of maar niet is zijn in op aan van voor met te dat die',
    ru: 'и в во не что он на я с со как а то все она так его но да ты к у же вы за бы по',
  }).map(([language, words]) => [language, new Set(words.split(' '))]),
)

const none: ReadonlySet<string> = new Set()

/** Longer words are cut: nobody searches for them, and the index must not hold whole data URIs. */
const maxLetters = 40
const maxKnown = 20_000

const separator = 1
const letter = 2
const unspaced = 3
/** The kind of each character, looked up once; 0 when not yet known. Surrogate halves are separators. */
const kinds = new Uint8Array(0x10000)

function kindOf(code: number): number {
  const known = kinds[code] ?? separator
  if (known !== 0) return known
  const character = String.fromCharCode(code)
  const kind = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}ー]/u.test(character) && /[\p{L}\p{M}]/u.test(character) ? unspaced : /[\p{L}\p{N}\p{M}]/u.test(character) ? letter : separator
  kinds[code] = kind
  return kind
}

/** The language of a tag as used in the index: its first subtag in lower case; empty without a tag. */
export function languageOf(tag: string | undefined): string {
  return /^[a-z]{2,3}(?=$|[-_])/i.exec(tag?.trim() ?? '')?.[0].toLowerCase() ?? ''
}

/** A word without case, width and the diacritics of Latin and Greek letters. */
function folded(word: string): string {
  const small = word.toLowerCase()
  if (/^[a-z0-9]*$/.test(small)) return small
  return small.normalize('NFKD').replace(/([a-zα-ω])[\u0300-\u036f]+/g, '$1').normalize('NFC').replaceAll('ß', 'ss').replace(/[^\p{L}\p{N}\p{M}]/gu, '')
}

/** Only plurals: other English endings often change the meaning. */
function english(word: string): string {
  if (word.length < 4 || !word.endsWith('s')) return word
  if (word.endsWith('ies') && word.length > 4) return `${word.slice(0, -3)}y`
  if (/(?:ss|x|ch|sh)es$/.test(word)) return word.slice(0, -2)
  return /[us]s$|is$/.test(word) ? word : word.slice(0, -1)
}

/** A folded word without an ending of the language. */
function stem(word: string, language: string): string {
  if (/\d/.test(word)) return word
  const rule = byLanguage[language]
  if (rule === undefined) return english(word)
  const ending = rule.endings.find((one) => word.length - one.length >= rule.least && word.endsWith(one))
  return ending === undefined ? word : word.slice(0, -ending.length)
}

/** Cache of the terms of words, by language; the empty text for a stop word. */
const knownTerms = new Map<string, Map<string, string>>()

function memoOf(language: string): Map<string, string> {
  const known = knownTerms.get(language)
  if (known !== undefined) return known
  // Pages may claim any language.
  if (knownTerms.size > 40) knownTerms.clear()
  const fresh = new Map<string, string>()
  knownTerms.set(language, fresh)
  return fresh
}

function termOf(word: string, language: string, known: Map<string, string>): string {
  const found = known.get(word)
  if (found !== undefined) return found
  const small = folded(word)
  const term = (stops[language] ?? none).has(small) ? '' : stem(small, language).slice(0, maxLetters)
  if (known.size >= maxKnown) known.clear()
  known.set(detached(word), detached(term))
  return term
}

/** Calls back with each word, and with each run of characters written without spaces. Linear. */
function scan(text: string, each: (run: string, spaced: boolean) => boolean): void {
  let start = 0
  let now = separator
  for (let at = 0; at <= text.length; at++) {
    const kind = at === text.length ? separator : kindOf(text.charCodeAt(at))
    if (kind === now) continue
    if (now !== separator && !each(text.slice(start, Math.min(at, start + 1_000)), now === letter)) return
    start = at
    now = kind
  }
}

const pairs = (run: string): readonly string[] => (run.length < 2 ? [run] : Array.from({ length: run.length - 1 }, (_, at) => run.slice(at, at + 2)))

/** The terms of a text in its language, in order, at most `most`. */
export function termsOf(text: string, language: string, most = Number.MAX_SAFE_INTEGER): readonly string[] {
  const terms: string[] = []
  const known = memoOf(language)
  scan(text, (run, spaced) => {
    if (spaced) {
      const term = termOf(run, language, known)
      if (term !== '') terms.push(term)
    } else terms.push(...pairs(run))
    return terms.length < most
  })
  return terms.length > most ? terms.slice(0, most) : terms
}

/** A word of a query, with the terms that the index may hold for it. */
export interface QueryWord {
  /** Each is a term or a sequence of terms. */
  readonly anyOf: readonly (readonly string[])[]
  /** It is a stop word in some language: a page need not contain it. */
  readonly common: boolean
  /** Terms that start with it match, too: for a single character of a script without spaces. */
  readonly prefix: boolean
}

/** The words of a query as indexed in these languages; stop words of all of them are left out. */
export function queryWords(text: string, languages: readonly string[]): readonly QueryWord[] {
  const words: QueryWord[] = []
  const all = languages.length === 0 ? [''] : languages
  scan(text, (run, spaced) => {
    if (!spaced) words.push({ anyOf: [pairs(run)], common: false, prefix: run.length === 1 })
    else {
      const forms = all.map((language) => termOf(run, language, memoOf(language)))
      const kept = [...new Set(forms.filter((form) => form !== ''))]
      if (kept.length > 0) words.push({ anyOf: kept.map((form) => [form]), common: kept.length > 0 && forms.includes(''), prefix: false })
    }
    return words.length < 50
  })
  return words
}

/** A quoted text as indexed in each language: sequences of terms. */
export function queryPhrase(text: string, languages: readonly string[]): readonly (readonly string[])[] {
  const all = languages.length === 0 ? [''] : languages
  const forms = new Map(all.map((language) => [language, termsOf(text, language, 50)] as const).map(([, terms]) => [terms.join(' '), terms]))
  return [...forms.values()].filter((terms) => terms.length > 0)
}
