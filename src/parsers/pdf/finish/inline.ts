/** Words after which a hyphen is a suspended one: "pre- and postwar". */
const suspended = new Set(['and', 'or', 'to', 'nor', 'und', 'oder', 'bis', 'et', 'ou', 'y', 'o', 'e', 'en', 'of', 'och', 'og', 'i', 'lub'])

/**
 * Joins words that were hyphenated at line ends. A compound that the file also writes within a line keeps its hyphen;
 * `known` holds these compounds of the whole file in lower case. Linear: in scripts without spaces, words have any length.
 */
export function joinWords(text: string, known: ReadonlySet<string>): string {
  return text.replaceAll('\u00ad', '').replace(/(?<!\p{L})(\p{L}{1,60})- (\p{Ll}{1,60})/gu, (whole, first: string, second: string) => {
    if (suspended.has(second)) return whole
    return known.has(`${first}-${second}`.toLowerCase()) ? `${first}-${second}` : first + second
  })
}

/** The hyphenated compounds within the lines of a text, in lower case. */
export function compounds(text: string): Set<string> {
  return new Set([...text.matchAll(/(?<!\p{L})\p{L}{1,60}-\p{L}{1,60}/gu)].map((match) => match[0].toLowerCase()))
}

/** Signs that fonts of Adobe have in Unicode's private area, where they are not other forms of Latin letters. */
const adobeSigns: Readonly<Record<string, string>> = { '\uf6be': 'ȷ', '\uf6d9': '©', '\uf6da': '®', '\uf6db': '™', '\uf6dc': '1', '\uf6de': '—', '\uf6df': '¢', '\uf6e0': '¢', '\uf6e1': ',', '\uf6e2': ',', '\uf6e3': '$', '\uf6e4': '$', '\uf6e5': '-', '\uf6e6': '-', '\uf6e7': '.', '\uf6e8': '.', '\uf6f9': 'Ł', '\uf6fa': 'Œ', '\uf6fd': 'Š', '\uf6ff': 'Ž', '\uf8e8': '®', '\uf8e9': '©', '\uf8ea': '™' }

/** Such characters within words and numbers, and "©": alone, they may be pictures of a font of icons. */
const ofWords = /(?<=[\p{L}\p{N}\uf6be-\uf8ea])[\uf6be-\uf8ea]|[\uf6be-\uf8ea](?=[\p{L}\p{N}\uf6be-\uf8ea])|[\uf6d9\uf8e9]/gu

/** The letter, digit or sign that such a character is: old-style digits and small capitals have the code of the usual form behind F7. */
const ofAdobe = (character: string): string => adobeSigns[character] ?? (/[\uf721-\uf7ff]/.test(character) ? String.fromCharCode(character.charCodeAt(0) & 0xff).toUpperCase() : character)

/**
 * Replaces radicals, ligatures and presentation forms by the letters they stand for: nobody searches for 第⼀ with a radical.
 * A spacing mark becomes a space and the mark; unreadable characters are dropped.
 */
export function asLetters(text: string): string {
  return text.replaceAll('\0', '').replace(ofWords, ofAdobe).replace(/[\u2f00-\u2fd5\ufb00-\ufb28\ufb2a-\ufd3d\ufd50-\ufdef\ufe10-\ufe19\ufe30-\ufe44\ufe70-\ufefc]/g, (character) => character.normalize('NFKC').replace(/^ /, ''))
}

/** Spacing accents, and the combining accents that they stand for. */
const combining: Readonly<Record<string, string>> = { '\u00b4': '\u0301', '\u00a8': '\u0308', '\u02c6': '\u0302', '\u02dc': '\u0303', '\u02da': '\u030a', '\u02c7': '\u030c', '\u02dd': '\u030b', '\u02d8': '\u0306', '\u00b8': '\u0327', '\u02d9': '\u0307' }
const dotless: Readonly<Record<string, string>> = { '\u0131': 'i', '\u0237': 'j' }

const acute = '\u00b4'
/** Spacing accents before letters, but for the sign that stands for an apostrophe in such words: "it´s", "I´ll". */
const accented = /(?<!\p{N})(?!(?<=\p{L})\u00b4(?:[smtd]|ll|re|ve)(?!\p{L}))[\u00b4\u00a8\u02c6\u02dc\u02da\u02c7\u02dd\u02d8\u00b8\u02d9]\p{L}/gu
/** Letters with accents as single characters. */
const composed = /[A-Za-z][\u0300-\u036f]/g

/** Whether the acute accents of a file are drawn over letters. Where it has letters with accents of their own, they are apostrophes: "l´art". */
export function drawsAcutes(texts: readonly string[]): boolean {
  const countOf = (pattern: RegExp, form: 'NFC' | 'NFD'): number => texts.reduce((sum, text) => sum + (text.normalize(form).match(pattern)?.length ?? 0), 0)
  const drawn = texts.some((text) => text.includes(acute)) ? countOf(accented, 'NFC') : 0
  return drawn > 0 && drawn >= countOf(composed, 'NFD')
}

/**
 * Combines letters with accents that older files draw over them ("B¨ottcher"); acute accents only where the file draws these.
 * Combinations that give no single letter stay, and so does the tilde of an address ("/˜anna").
 */
export function withAccents(text: string, acutes = true): string {
  return text.replace(/(?<!\p{N})(?<!\/(?=\u02dc))([\u00b4\u00a8\u02c6\u02dc\u02da\u02c7\u02dd\u02d8\u00b8\u02d9])(\p{L})|([cCsStT])\u00b8/gu, (whole, accent: string | undefined, letter = '', before = '') => {
    if (accent === acute && !acutes) return whole
    const one = accent === undefined ? `${before}\u0327` : `${dotless[letter] ?? letter}${combining[accent] ?? ''}`
    const made = one.normalize('NFC')
    return [...made].length === 1 ? made : whole
  })
}

/**
 * Combines signs with the stroke that TeX draws through them before it draws them: "x ̸= y" is "x ≠ y". The arrow "↦" is drawn
 * as its tail and "→".
 */
export function withStrokes(text: string): string {
  return text.replace(/↦\s?→/g, '↦').replace(/(\*{0,2})(\s?)\u0338(\*{0,2})\s?(\p{Sm})/gu, (whole, before: string, blank: string, after: string, sign: string) => {
    const made = `${sign}\u0338`.normalize('NFC')
    const marks = before === after && blank === '' ? '' : before + after
    return [...made].length === 1 ? `${marks}${blank}${made}` : whole
  })
}

/** Escapes text that looks like a tag, except for the few tags that the library writes for what markdown lacks; what is struck is markdown. */
export function escapeTags(text: string): string {
  return text.replace(/<\/?u>/g, '').replace(/<s>(?=\S)([^<>\n]{1,2000})(?<=\S)<\/s>/g, '~~$1~~').replace(/<(?!\/?(?:sup|sub)>|br>)(?=[a-z/!?])/gi, '\\<')
}
