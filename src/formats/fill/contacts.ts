import type { Facts } from '../../content/facts/index.ts'
import { urlOf } from '../../lib/url-of.ts'

/** How much of a page is looked through. */
const maxText = 300_000
/** How near to a number or address a word stands that says what it is. */
const before = 60
const after = 20
const calling = /\b(?:call|phone|tel|telephone|mobile|contact|dial|reach|text|ring|fon|telefon|appel|t:)|☎|📞/i

/** Numbers that stand in templates of sites and pictures of programs: all one digit, a count, or of an area that no country has. */
const sample = /^(?:\D*(\d)(?:\D*\1){6,}\D*|\(?1\d\d\)?[ .-]\d{3}[ .-]\d{4}|.*1234.*|.*2345678.*)$/
const number = /(?<![\d.-]|\d )(?:\+\d{1,3}[ .-]?)?(?:\(\d{2,4}\)|(?:1-)?\d{3,4})[ .-]\d{3,4}[ .-]\d{4}(?![\d-]| \d)/g

/** The only telephone number of a page, where it is linked or a word beside it says what it is: pictures of programs are full of numbers. */
export function solePhone({ layout }: Facts): readonly string[] {
  const digits = (phone: string): string => phone.replace(/\D/g, '').replace(/^1(?=\d{10}$)/, '')
  const text = layout.text.slice(0, maxText)
  const shown = [...text.matchAll(number)].slice(0, 500).map(({ 0: value, index }) => ({ value, isSaid: calling.test(text.slice(Math.max(0, index - before), index)) || calling.test(text.slice(index + value.length, index + value.length + after)) }))
  const all = new Map([...layout.phones, ...shown.map(({ value }) => value)].filter((phone) => digits(phone).length > 6 && !sample.test(phone)).map((phone) => [digits(phone), phone]))
  const said = new Set([...layout.phones, ...shown.filter(({ isSaid }) => isSaid).map(({ value }) => value)].map(digits))
  return all.size === 1 ? [...all].filter(([key]) => said.has(key)).map(([, phone]) => phone) : []
}

const general = /^(?:info|contact|hello|hi|support|office|sales|mail|kontakt)@/

/** The only address of the site's own on a page, or the only general one; one of a person only where it is linked. Another's may stand on any page. */
export function soleMail({ layout, url }: Facts): readonly string[] {
  const here = urlOf(url)?.hostname.replace(/^www\./, '') ?? ''
  // A site may write from above its pages (`shop.site.example`) or below; what only ends alike (`co.uk`) is another's.
  const isHere = (host: string): boolean => here !== '' && host !== '' && (host === here || here.endsWith(`.${host}`) || host.endsWith(`.${here}`))
  const bare = (mail: string): string => mail.toLowerCase().replace(/[.]$/, '')
  const linked = new Set(layout.mails.map(bare))
  const shown = layout.text.slice(0, maxText).match(/[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,4}/g) ?? []
  const own = [...new Set([...linked, ...shown.map(bare)])].filter((mail) => isHere(mail.split('@')[1] ?? ''))
  const [one, other] = own.length === 1 ? own : own.filter((mail) => general.test(mail))
  return one !== undefined && other === undefined && (linked.has(one) || general.test(one)) ? [one] : []
}

/** Whether an address beside a label is one to write to: it is linked, or a general one. */
export const isOwnMail = (mail: string, { layout }: Facts): boolean => /^[\w.+-]+@[\w.-]+$/.test(mail) && (general.test(mail) || layout.mails.some((linked) => linked.toLowerCase() === mail.toLowerCase()))
