/** Labels of the Encoding Standard that the platform's decoder does not know. */
const extra: Readonly<Record<string, string>> = { 'iso-8859-16': 'iso-8859-16', 'x-user-defined': 'x-user-defined' }

/** Labels that real pages use though no standard lists them. */
const aliases: Readonly<Record<string, string>> = {
  utf8mb4: 'utf-8', 'utf-8-sig': 'utf-8', 'utf-8n': 'utf-8', utf_8: 'utf-8', cp932: 'shift_jis', 'windows-936': 'gbk', cp936: 'gbk',
  cp949: 'euc-kr', cp950: 'big5', 'windows-950': 'big5', 'iso8859-1': 'windows-1252', 'iso-8859-1-windows-1252': 'windows-1252',
  'koi8r': 'koi8-r', 'win-1251': 'windows-1251', win1251: 'windows-1251', cp1258: 'windows-1258', 'latin-1': 'windows-1252',
}

/**
 * The encoding that a label names, in lower case (Encoding Standard, 4.2); null when it names none.
 * The labels of "replacement" name none: a scraper wants the text, and no script runs on it.
 */
export function encodingOf(label: string): string | null {
  const wanted = label.replace(/^[\t\n\f\r ]+|[\t\n\f\r ]+$/g, '').toLowerCase()
  if (wanted === '' || wanted.length > 40) return null
  const known = extra[wanted] ?? aliases[wanted]
  if (known !== undefined) return known
  try {
    return new TextDecoder(wanted).encoding
  } catch {
    return null
  }
}
