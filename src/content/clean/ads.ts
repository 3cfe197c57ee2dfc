import { remembered } from '../../lib/remembered.ts'
import { attribute, type Element, noAttributes } from '../html/tree.ts'

/** Matches a class or id that names an advertisement. */
const adName =
  /^(?:ads?|adverts?|advertisement|advertising|adsense|adsbygoogle|dfp|gpt|anzeigen?|werbung|reklama|publicidad|publicite|sponsored)$|^(?:ad|ads|advert|dfp|gpt|google-?ads?|adsense)[_-]?(?:slot|unit|box|wrap|wrapper|container|banner|block|space|zone|area|label|placeholder|inner|top|bottom|leaderboard|sidebar|mpu|rectangle|content)s?(?:[_-].*)?$|^(?:outbrain|taboola|trc_|google_ads|div-gpt-ad|OUTBRAIN|zergnet|revcontent|mgid)|(?:^|[_-])(?:sponsored-links|sponsored-content|banner-ads?|leaderboard-ad)$/i
/** Matches a class or id that names a consent dialog. */
const consentName =
  /^(?:eu-?)?cookies?[_-]?(?:consent|bar|law|notice|banner|popup|info|hint|warning|message|alert|overlay|modal|disclaimer|dialog|control|policy-?(?:bar|banner|notice)|box|wrapper|container|note|notification)s?(?:[_-].*)?$|^(?:gdpr|ccpa|consent)[_-]?(?:banner|dialog|modal|popup|bar|manager|overlay|notice|cookie|consent|container|box|wrapper)?(?:[_-].*)?$|^(?:onetrust|ot-sdk|cybotcookiebot|truste|didomi|usercentrics|sp_message|qc-cmp|cc-window|cc-banner|cmplz|borlabs|iubenda-cs|klaro|osano|moove_gdpr|termly|fc-consent|cky-|cookiebot|cookie-law-info|cookiescript)/i
const frames = /doubleclick\.net|googlesyndication|adservice|amazon-adsystem|adnxs\.com|taboola|outbrain/i

/** What the class and id attributes of an element say. */
interface Named {
  readonly ad: boolean
  readonly consent: boolean
}

const nothing: Named = { ad: false, consent: false }

const namedBy = remembered((names): Named => {
  const words = names.slice(0, 1_000).split(/\s+/).filter((one) => one.length < 60)
  return { ad: words.some((one) => adName.test(one)), consent: words.some((one) => consentName.test(one)) }
})

function named(element: Element): Named {
  if (element.attribs === noAttributes) return nothing
  const [id, classes] = [attribute(element, 'id'), attribute(element, 'class')]
  if (id === undefined && classes === undefined) return nothing
  return namedBy(id === undefined ? (classes ?? '') : `${id} ${classes ?? ''}`)
}

/** Whether an element is an advertisement, by its tag, source or names. */
export function isAd(element: Element): boolean {
  if (element.name === 'ins' && (attribute(element, 'class') ?? '').includes('adsbygoogle')) return true
  if (element.name === 'iframe') return frames.test((attribute(element, 'src') ?? '').slice(0, 500))
  if (!isBox(element)) return element.name === 'amp-ad' || element.name === 'amp-embed'
  return attribute(element, 'data-ad-slot') !== undefined || named(element).ad
}

/** Whether an element is a consent dialog, by its names. */
export function isConsent(element: Element): boolean {
  return isBox(element) && named(element).consent
}

const boxes: ReadonlySet<string> = new Set(['div', 'aside', 'section', 'ins', 'figure', 'li', 'span', 'p', 'a', 'dialog', 'form', 'footer', 'header', 'td', 'center'])

function isBox(element: Element): boolean {
  return boxes.has(element.name)
}
