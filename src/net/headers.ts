import { percentDecoded } from '../lib/percent-decoded.ts'

/** Headers in the order in which they are sent or were received. */
export type HeaderList = readonly (readonly [name: string, value: string])[]

/** Header bytes as text: UTF-8 if valid, otherwise Latin-1. `value` has one character per byte. */
export function headerText(value: string): string {
  if (!/[\x80-\xff]/.test(value)) return value
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(value, 'latin1'))
  } catch {
    return value
  }
}

/** All values of a header, by its lower-case name. */
export function headerValues(headers: HeaderList, name: string): readonly string[] {
  return headers.filter(([key]) => key === name).map(([, value]) => value)
}

/** The `Authorization` value that browsers make of the user name and password in a URL; null without any. */
export function credentialsIn({ username, password }: URL): string | null {
  if (username === '' && password === '') return null
  return `Basic ${Buffer.from(`${percentDecoded(username)}:${percentDecoded(password)}`).toString('base64')}`
}
