/** Labels of the Encoding Standard that the platform's decoder does not know. */
const extra: ReadonlyMap<string, string> = new Map([
  ['iso-8859-16', 'iso-8859-16'],
  ['x-user-defined', 'x-user-defined'],
])

/** Labels that pages use although no standard lists them. */
const aliases: ReadonlyMap<string, string> = new Map([
  ['utf8mb4', 'utf-8'],
  ['utf-8-sig', 'utf-8'],
  ['utf_8', 'utf-8'],
  ['cp932', 'shift_jis'],
  ['cp936', 'gbk'],
  ['windows-936', 'gbk'],
  ['cp949', 'euc-kr'],
  ['cp950', 'big5'],
  ['windows-950', 'big5'],
  ['big5hkscs', 'big5'],
  ['latin-1', 'windows-1252'],
  ['iso8859-1', 'windows-1252'],
  ['koi8r', 'koi8-r'],
  ['win-1251', 'windows-1251'],
  ['win1251', 'windows-1251'],
])

/**
 * The encoding that a label names, in lower case (Encoding Standard, 4.2); null when it names none. The labels of
 * "replacement" name none here: a scraper wants the text, and runs no scripts on it.
 */
export function encodingOf(label: string): string | null {
  // An expression for the spaces at the end would take quadratic time for those inside.
  const wanted = (/[^\t\n\f\r ](?:.*[^\t\n\f\r ])?/s.exec(label)?.[0] ?? '').toLowerCase()
  if (wanted === '' || wanted.length > 40) return null
  const known = extra.get(wanted) ?? aliases.get(wanted)
  if (known !== undefined) return known
  try {
    return new TextDecoder(wanted).encoding
  } catch {
    return null
  }
}
