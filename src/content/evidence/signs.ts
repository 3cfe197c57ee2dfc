/** The sign of a number. */
export type Sign = 1 | -1

const reach = 16
const currency = /(?:[$€£¥₹₽₩₺]|USD|EUR|GBP|CHF|JPY|CAD|AUD)\s?$/u
const dashed = /([-−–])(\s?)$/u
/** Text before a dash that joins two numbers, words or parts of a date. */
const joins = /[\p{L}\p{N})%.]$|\p{N}\s?[$€£¥₹]$/u
const afterNumber = /[\p{N}%$€£¥₹)][ \t]+$/u
const inWords = /(?:^|[^\p{L}])(?:minus|moins|menos|meno|negative)\s$/iu

/**
 * The signs that the number at a position may have; both when that is uncertain. A dash in a range, a date or a word, or
 * before a list item, is no sign; accounts write losses in parentheses.
 */
export function signsOf(text: string, start: number, end: number): readonly Sign[] {
  // Markdown escapes a dash at the start of a line.
  const whole = text.slice(Math.max(0, start - reach), start).replace(/\\/g, '')
  const before = whole.replace(currency, '')
  const dash = dashed.exec(before)
  if (dash !== null) return ofDash(before.slice(0, dash.index), dash[1] ?? '', dash[2] !== '')
  if (inWords.test(before)) return [1, -1]
  return before.endsWith('(') ? inParentheses(before.slice(0, -1), text.slice(end, end + reach), before.length < whole.length || /[.,]\d/.test(text.slice(start, end))) : [1]
}

function ofDash(before: string, mark: string, apart: boolean): readonly Sign[] {
  if (joins.test(before) || (apart && mark !== '−')) return [1]
  return afterNumber.test(before) || mark === '–' ? [1, -1] : [-1]
}

/** `amount`: written as an amount, with a currency or separators. */
function inParentheses(before: string, after: string, amount: boolean): readonly Sign[] {
  const close = /^\s?(?:[$€£¥₹₽₩₺]|USD|EUR|GBP|CHF|JPY|CAD|AUD)?\)/u.exec(after)
  if (close === null) return [1]
  const cell = /\|\s*$/.test(before) && /^\s*\|/.test(after.slice(close[0].length))
  return cell && amount ? [-1] : cell || amount ? [1, -1] : [1]
}

const dashBefore = /(?:[-−–]\s?(?:[$€£¥₹₽₩₺]|[A-Z]{3})?\s?|(?:minus|moins|menos|meno|negative)\s)$/u
const openBefore = /\(\s?(?:[$€£¥₹₽₩₺]|[A-Z]{3})?\s?$/u
const closeAfter = /^\s?(?:[$€£¥₹₽₩₺]|[A-Z]{3})?\)/u

/** The place of a negative number with its sign. */
export function withSign(text: string, { start, end }: { readonly start: number; readonly end: number }): { readonly start: number; readonly end: number } {
  const before = text.slice(Math.max(0, start - reach), start)
  const dash = dashBefore.exec(before)
  if (dash !== null) return { start: start - dash[0].length, end }
  const [open, close] = [openBefore.exec(before), closeAfter.exec(text.slice(end, end + reach))]
  return open === null || close === null ? { start, end } : { start: start - open[0].length, end: end + close[0].length }
}
