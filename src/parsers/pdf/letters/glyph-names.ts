import { mathNames } from './math-names.ts'

const digits = ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine']

/** Names of letters and digits in other forms (Adobe Glyph List): "twooldstyle", "Asmall", and the former by its code. */
const otherForms = new RegExp(`/(?:(${digits.join('|')}|dollar|cent)oldstyle|([A-Z][A-Za-z]{0,14}|exclam|exclamdown|question|questiondown|ampersand)small|uniF73([0-9]))(?=[\\s/\\]])`, 'g')

const name = /\/([A-Za-z][A-Za-z0-9]{4,30})(?=[\s/\]])/g

/**
 * A font's list of glyph names with the usual names of old-style digits, small capitals and signs of mathematics, of the same
 * length. The native library omits glyphs by these names: "Founded in 1998 for $ 204" would become "Founded in for $ ", and
 * "x ≠ y" would become "x = y", as "≠" is drawn as a stroke and "=".
 */
export function withUsualNames(differences: string): string {
  return withUsualForms(differences).replace(name, (whole, own: string) => {
    const code = mathNames.get(own)
    return code === undefined ? whole : `/u${code}`.padEnd(whole.length)
  })
}

function withUsualForms(differences: string): string {
  return differences.replace(otherForms, (whole, digit?: string, letter?: string, code?: string) => `/${digit ?? letter ?? digits[Number(code)] ?? ''}`.padEnd(whole.length))
}
