import type { Capture } from '../../domain/pages/capture.ts'
import type { PageVerdict } from '../../domain/pages/reading.ts'
import { beginsWithWaiting, saysLeaving } from '../../lib/waiting.ts'
import { isChallenge } from './challenge.ts'
import { isAboutMissing, saysMissing } from './missing.ts'
import { blankLetters, loginLetters, type Signs } from './signs.ts'
import { asksForScripts, beginsWithConsent, beginsWithLogin, demandsLogin, isAboutConsent, offersPayOrConsent, saysLogin, saysNewPassword } from './wordings.ts'

type Home = Pick<Capture, 'status' | 'headers' | 'engine'>
type Rule = (signs: Signs, capture: Home) => boolean

const missingAnywhere = /\b(?:page not found|404 not found|error 404|404 error|404 page)\b/i
/** A page with fewer letters may be waiting for its scripts. */
const fewLetters = 250
/** What a page says that is loading, or sends its visitors on: a few words, and a link for those whom it does not send. */
const waitingLetters = 160
const waitingLinks = 2
/** A text about consent without a button is an article if it has more letters. */
const consentLetters = 500
/** A page with more letters says more than that one must log in to see it, or that there is nothing to see. */
const demandLetters = 300
/** Headings that say no more than that something is wrong. */
const wrong = /^\W*(?:404|oops|ops|oups|uh-?oh|whoops|sorry|error|fehler|erreur)?\W*$/i
const consentTrace = /consent\.(?:google|youtube|yahoo)\.|guce\.|privacy-mgmt|sp_message|consent-page/i

/**
 * The first matching rule gives the verdict. Each requires a page with little text: a long article about captchas is an
 * article.
 */
const rules: readonly (readonly [PageVerdict, Rule])[] = [
  ['challenge', isChallenge],
  ['consent', isConsentPage],
  ['login', isLogin],
  ['soft-404', isMissing],
  ['empty', isEmpty],
]

/** The kind of a page, judged by the page alone. `ok` when in doubt. */
export function verdict(signs: Signs, capture: Home): PageVerdict {
  return rules.find(([, holds]) => holds(signs, capture))?.[0] ?? 'ok'
}

function isConsentPage(signs: Signs): boolean {
  if (signs.letters > 3000 || signs.fields > 12) return false
  if (isPayOrConsent(signs)) return true
  if (beginsWithConsent(signs.title) || beginsWithConsent(signs.heading)) {
    // The text of a known consent dialog is not counted in `letters`.
    const dialog = signs.letters < 150 && signs.consentLetters > signs.letters
    if (consentTrace.test(signs.traces)) return true
    // An article about consent, or a guide to its settings, has no button that gives it.
    const asks = signs.asksConsent ?? signs.letters < consentLetters
    return dialog || (asks && /cookie|consent|privacy|datenschutz|confidentialité|privacidad/i.test(signs.start))
  }
  // A page with its own heading is complete, however little it says.
  return signs.letters < 150 && signs.consentLetters > 200 && signs.heading === ''
}

/**
 * Whether the page offers only the choice between tracking and paying. A real page has its topic in the heading and the
 * title.
 */
function isPayOrConsent({ letters, links, title, heading, start }: Signs): boolean {
  return letters < 2500 && links < 30 && offersPayOrConsent(start) && (heading === '' || (isAboutConsent(heading) && !title.includes(heading)))
}

function isLogin(signs: Signs): boolean {
  if (signs.passwords === 0) return isFirstStep(signs) || (signs.letters < demandLetters && demandsLogin(signs.start))
  if (signs.loginAbove) return false
  const says = saysLogin(signs.title) || saysLogin(signs.heading)
  // A page with a heading about something else, and a login in its banner, is complete, however little it says.
  if (signs.letters < 900) return says || ((signs.loginInside || (signs.login && signs.heading === '')) && !saysNewPassword(signs.title) && !saysNewPassword(signs.heading))
  return signs.letters < loginLetters && says
}

/**
 * Whether a page is the first step of a login: it asks for a name or address before the password, or offers another site's
 * login.
 */
function isFirstStep({ names, letters, links, title, heading }: Signs): boolean {
  return names > 0 && letters < 600 && links < 12 && beginsWithLogin(title) && beginsWithLogin(heading)
}

function isMissing(signs: Signs, capture: Home): boolean {
  if (capture.status >= 400 || signs.letters > 4000) return false
  // A heading that starts with a part of the title and continues says what the page is about.
  const parts = signs.title.split(/\s+[|｜–—·»:-]\s+/).filter((part) => signs.heading.length < part.length + 12 || !signs.heading.startsWith(part))
  const heading = signs.heading || signs.subheading
  if ([heading, ...parts].some((part) => saysMissing(part, signs.letters))) return true
  if (signs.letters < demandLetters && wrong.test(heading) && saysMissing(behind(heading, signs.start), signs.letters)) return true
  return signs.letters < 1500 && missingAnywhere.test(signs.title) && !isAboutMissing(signs.title)
}

/** What a page says first, behind its heading and the number of the error. */
const behind = (heading: string, start: string): string => start.slice(Math.max(0, start.indexOf(heading)) + heading.length).trimStart().replace(/^404\W+/, '').slice(0, 300)

/** Whether a page says nothing but that it is loading, or that another page follows. */
function isOnTheWay({ letters, links, fields, start }: Signs): boolean {
  return letters < waitingLetters && links <= waitingLinks && fields === 0 && (beginsWithWaiting(start.slice(0, 200)) || saysLeaving(start.slice(0, 300)))
}

function isEmpty(signs: Signs, capture: Home): boolean {
  const rendered = capture.engine === 'browser'
  const drawn = signs.pictures > 0 && (rendered || !signs.blankElement)
  // A page that still says so when it was rendered never became more than that.
  if (rendered && !drawn && isOnTheWay(signs)) return true
  // After rendering, a page may be just a greeting.
  const few = signs.scripts === 0 || rendered ? 1 : blankLetters
  if ((!drawn || signs.pictures === signs.drawings) && signs.letters < few) return true
  if (signs.scripts === 0 || signs.letters >= fewLetters) return false
  // A rendered page says little because there is no more, unless the little is beside its container.
  if (rendered) return signs.emptyRoot && !signs.filledRoot && !drawn && (signs.rootLetters === 0 || signs.rootLetters < signs.letters)
  return signs.emptyRoot || asksForScripts(signs.noscript)
}
