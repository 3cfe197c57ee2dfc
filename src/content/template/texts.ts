import { numbersIn, writtenDate } from '../evidence/index.ts'
import { type LiftForm, type Plain, sameValue } from '../../domain/pages/templates.ts'

/** The only number that a text can mean; null for none or several. */
function soleNumber(text: string): number | null {
  if (text.length > 80) return null
  const found = new Set(numbersIn(text).map(({ value }) => value))
  const [first] = found
  return found.size === 1 && first !== undefined ? first : null
}

/** A text read in that form; null when it cannot be. */
export function readAs(text: string, form: LiftForm): Plain {
  if (form === 'number') return soleNumber(text)
  if (form === 'date') return writtenDate(text)
  return text === '' ? null : text
}

/** The form in which the whole text gives a value; null when it does not. */
export function formOf(text: string, value: string | number): LiftForm | null {
  if (typeof value === 'number') return sameValue(soleNumber(text), value) ? 'number' : null
  if (sameValue(text, value)) return 'text'
  return writtenDate(text) === value ? 'date' : null
}
