import type { Facts } from '../../content/facts/index.ts'
import { urlOf } from '../../lib/url-of.ts'

/** Characters of a page that are searched. */
const maxText = 300_000
/** How far from a number or address a word may be that says what it is, in characters. */
const before = 60
const after = 20
const calling = /\b(?:call|phone|tel|telephone|mobile|contact|dial|reach|text|ring|fon|telefon|appel|t:)|☎|📞/i

/** Placeholder numbers: repeated digits, counting sequences, invalid area codes. */
const sample = /^(?:\D*(\d)(?:\D*\1){6,}\D*|\(?1\d\d\)?[ .-]\d{3}[ .-]\d{4}|.*1234.*|.*2345678.*)$/
const number = /(?<![\d.-]|\d )(?:\+\d{1,3}[ .-]?)?(?:\(\d{2,4}\)|(?:1-)?\d{3,4})[ .-]\d{3,4}[ .-]\d{4}(?![\d-]| \d)/g

/**
 * The only telephone number of a page, if it is linked or a word beside it says what it is: screenshots of software are
 * full of numbers.
 */
export function solePhone({ layout }: Facts): readonly string[] {
  const digits = (phone: string): string => phone.replace(/\D/g, '').replace(/^1(?=\d{10}$)/, '')
  const text = layout.text.slice(0, maxText)
  const shown = [...text.matchAll(number)].slice(0, 500).map(({ 0: value, index }) => ({ value, isSaid: calling.test(text.slice(Math.max(0, index - before), index)) || calling.test(text.slice(index + value.length, index + value.length + after)) }))
  const all = new Map([...layout.phones, ...shown.map(({ value }) => value)].filter((phone) => digits(phone).length > 6 && !sample.test(phone)).map((phone) => [digits(phone), phone]))
  const said = new Set([...layout.phones, ...shown.filter(({ isSaid }) => isSaid).map(({ value }) => value)].map(digits))
  return all.size === 1 ? [...all].filter(([key]) => said.has(key)).map(([, phone]) => phone) : []
}

const general = /^(?:info|contact|hello|hi|support|office|sales|mail|kontakt)@/

/**
 * The only email address of the site itself, or the only general one; a personal one only when it is linked. Addresses of
 * others may be on any page.
 */
export function soleMail({ layout, url }: Facts): readonly string[] {
  const here = urlOf(url)?.hostname.replace(/^www\./, '') ?? ''
  // A site may use addresses of its parent domain or a subdomain; hosts that only share a public suffix (`co.uk`) are
  // unrelated.
  const isHere = (host: string): boolean => here !== '' && host !== '' && (host === here || here.endsWith(`.${host}`) || host.endsWith(`.${here}`))
  const bare = (mail: string): string => mail.toLowerCase().replace(/[.]$/, '')
  const linked = new Set(layout.mails.map(bare))
  const shown = layout.text.slice(0, maxText).match(/[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,4}/g) ?? []
  const own = [...new Set([...linked, ...shown.map(bare)])].filter((mail) => isHere(mail.split('@')[1] ?? ''))
  const [one, other] = own.length === 1 ? own : own.filter((mail) => general.test(mail))
  return one !== undefined && other === undefined && (linked.has(one) || general.test(one)) ? [one] : []
}

/** Whether an email address beside a label is a contact address: it is linked, or a general one. */
export const isOwnMail = (mail: string, { layout }: Facts): boolean => /^[\w.+-]+@[\w.-]+$/.test(mail) && (general.test(mail) || layout.mails.some((linked) => linked.toLowerCase() === mail.toLowerCase()))
