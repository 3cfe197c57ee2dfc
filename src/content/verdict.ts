import type { Capture } from '../domain/capture.ts'
import type { PageVerdict } from '../domain/reading.ts'
import { isChallenge } from './challenge.ts'
import { isAboutMissing, saysMissing } from './missing.ts'
import { blankLetters, loginLetters, type Signs } from './signs.ts'
import { asksForScripts, beginsWithConsent, beginsWithLogin, beginsWithWaiting, isAboutConsent, offersPayOrConsent, saysLogin } from './wordings.ts'

type Home = Pick<Capture, 'status' | 'headers' | 'engine'>
type Rule = (signs: Signs, capture: Home) => boolean

const missingAnywhere = /\b(?:page not found|404 not found|error 404|404 error|404 page)\b/i
/** A page that waits for its scripts has fewer letters. */
const fewLetters = 250
const consentTrace = /consent\.(?:google|youtube|yahoo)\.|guce\.|privacy-mgmt|sp_message|consent-page/i

/** Each needs a page with little text: a long article about captchas is an article. The first that holds names the page. */
const rules: readonly (readonly [PageVerdict, Rule])[] = [
  ['challenge', isChallenge],
  ['consent', isConsentPage],
  ['login', isLogin],
  ['soft-404', isMissing],
  ['empty', isEmpty],
]

/** What kind of page this is, from the page alone. Doubt goes to `ok`. */
export function verdict(signs: Signs, capture: Home): PageVerdict {
  return rules.find(([, holds]) => holds(signs, capture))?.[0] ?? 'ok'
}

function isConsentPage(signs: Signs): boolean {
  if (signs.letters > 3000 || signs.fields > 12) return false
  if (isPayOrConsent(signs)) return true
  if (beginsWithConsent(signs.title) || beginsWithConsent(signs.heading)) {
    // What a known dialog says is not among the rest.
    const dialog = signs.letters < 150 && signs.consentLetters > signs.letters
    return dialog || /cookie|consent|privacy|datenschutz|confidentialité|privacidad/i.test(signs.start) || consentTrace.test(signs.traces)
  }
  // A page with a heading of its own is there, little as it says.
  return signs.letters < 150 && signs.consentLetters > 200 && signs.heading === ''
}

/** Whether there is nothing but the choice between being tracked and paying: what a page is about is its heading, and in its title. */
function isPayOrConsent({ letters, links, title, heading, start }: Signs): boolean {
  return letters < 2500 && links < 30 && offersPayOrConsent(start) && (heading === '' || (isAboutConsent(heading) && !title.includes(heading)))
}

function isLogin(signs: Signs): boolean {
  if (signs.passwords === 0) return isFirstStep(signs)
  if (signs.loginAbove) return false
  const says = saysLogin(signs.title) || saysLogin(signs.heading)
  // A page that has a heading about something else, and a login in its banner, is there, little as it says.
  if (signs.letters < 900) return says || signs.loginInside || signs.heading === ''
  return signs.letters < loginLetters && says
}

/** Whether a page asks for a name or an address and for the password only then, or for another site to say who one is. */
function isFirstStep({ names, letters, links, title, heading }: Signs): boolean {
  return names > 0 && letters < 600 && links < 12 && beginsWithLogin(title) && beginsWithLogin(heading)
}

function isMissing(signs: Signs, capture: Home): boolean {
  if (capture.status >= 400 || signs.letters > 4000) return false
  // A heading that goes on where a part of the title ends says what the page is.
  const parts = signs.title.split(/\s+[|｜–—·»:-]\s+/).filter((part) => signs.heading.length < part.length + 12 || !signs.heading.startsWith(part))
  if ([signs.heading, ...parts].some((part) => saysMissing(part, signs.letters))) return true
  return signs.letters < 1500 && missingAnywhere.test(signs.title) && !isAboutMissing(signs.title)
}

function isEmpty(signs: Signs, capture: Home): boolean {
  const rendered = capture.engine === 'browser'
  const drawn = signs.pictures > 0 && (rendered || !signs.blankElement)
  // What has run may be a greeting, and what only says that it loads is not there yet.
  const few = signs.scripts === 0 || (rendered && !beginsWithWaiting(signs.start.slice(0, 200))) ? 1 : blankLetters
  if (!drawn && signs.letters < few) return true
  if (signs.scripts === 0 || signs.letters >= fewLetters) return false
  // What has run says little because that is all there is.
  if (rendered) return signs.emptyRoot && !signs.filledRoot && !drawn
  return signs.emptyRoot || asksForScripts(signs.noscript)
}
