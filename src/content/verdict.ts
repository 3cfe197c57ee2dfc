import type { Capture } from '../domain/capture.ts'
import { header } from '../domain/capture.ts'
import type { PageVerdict } from '../domain/reading.ts'
import { measure } from './main-content/outline.ts'
import { isConsent } from './clean/ads.ts'
import { isHidden } from './clean/hidden.ts'
import { structuredText } from './structured-data.ts'
import { nonContentTags } from './tag-sets.ts'
import { attribute, type Document, type Element, isElement, isText, oneLine, textOf, walk } from './tree.ts'

/** What the rules look at: collected in one walk. */
export interface Signs {
  readonly title: string
  readonly heading: string
  /** Letters a reader sees, consent dialogs left out. */
  readonly letters: number
  readonly consentLetters: number
  /** First words of what a reader sees. */
  readonly start: string
  readonly passwords: number
  readonly scripts: number
  readonly emptyRoot: boolean
  readonly noscript: string
  /** Addresses, ids and classes that bot protection leaves, joined. */
  readonly traces: string
  readonly pictures: number
  readonly fields: number
}

type Rule = (signs: Signs, capture: Capture) => boolean

const challengeTitle =
  /^(?:just a moment|attention required! \| cloudflare|please wait|checking your browser|ddos-guard|access denied|access to this page has been denied|pardon our interruption|are you a robot|robot check|security check|human verification|bot verification|verify(?:ing)? you are (?:a )?human|un momento|einen moment|un instant|один момент|verification required|captcha|blocked|request blocked|you have been blocked|one more step|client challenge|performing security verification)/i
const challengeTrace =
  /cf-chl|cf_chl|challenge-form|challenge-error-text|cf-error-details|cf-turnstile|challenges\.cloudflare\.com|px-captcha|perimeterx|human-challenge|captcha-delivery\.com|geo\.captcha|datadome|_incapsula_resource|incapsula|edgesuite\.net|sec-if-cpt|sec-cpt|akamai-challenge|g-recaptcha|recaptcha\/api|h-captcha|hcaptcha\.com|arkoselabs|funcaptcha|awswaf|aws-waf|ddos-guard|sgcaptcha|kpsdk|geetest/i
const challengeText =
  /verify(?:ing)? (?:that )?you(?: are|['’]re) (?:a )?(?:human|not a (?:ro)?bot)|are you a (?:human|robot)|checking (?:if the site connection is secure|your browser)|(?:complete|solve) the (?:security check|captcha|challenge)|unusual traffic from your (?:computer )?network|press (?:&|and) hold|enable javascript and cookies to continue|prove (?:that )?you(?: are|['’]re) (?:not a robot|human)|you (?:have been|were) blocked|access denied|request unsuccessful\. incapsula|automated (?:access|queries|requests)|please stand by, while we are checking|confirm you(?: are|['’]re) (?:a )?human|i['’]m not a robot|bist du ein mensch|sind sie ein mensch|je ne suis pas un robot/i
const missingTitle =
  /^(?:(?:error|oops!?|sorry,?|http)?[\s:–—-]*404\b|(?:oops!?|sorry,?)?[\s:–—-]*(?:the |this |that )?(?:page|site|content|article|product|document|file|url|item)(?: you(?: requested| were looking for| are looking for)?)?(?: \S+){0,2} (?:not (?:be )?found|(?:can(?:not|['’]t)|could(?: not|n['’]t)) be found|does(?: not|n['’]t) exist|no longer (?:exists|available)|is (?:missing|gone|unavailable))|not found|nothing found|seite nicht gefunden|diese seite (?:existiert|wurde) nicht|page (?:introuvable|non trouvée)|página no encontrada|pagina non trovata|página não encontrada|pagina niet gevonden|страница не найдена|ページが見つかりません|页面不存在|we can(?:not|['’]t) find (?:that|the|this) page|(?:page|file) missing)/i
const missingAnywhere = /\b(?:page not found|404 not found|error 404|404 error|404 page)\b/i
const jsDemand = /(?:enable|activate|turn on|requires?|need(?:s)?(?: to enable)?|without|allow|aktivieren|activez|activar|habilit|включите)[^.]{0,60}java\s?script|java\s?script[^.]{0,60}(?:enable|required|disabled|aktivier|erforderlich|désactivé|deshabilitado|turned off|отключен)/i
const loginTitle = /\b(?:log ?in|sign ?in|sign on|anmelden|anmeldung|einloggen|connexion|se connecter|iniciar sesi[óo]n|acceder|accedi|inloggen|entrar|войти|вход|login required|authentication required|ログイン|登录)\b|ログイン|登录/i
const consentTitle = /^(?:before you continue|bevor sie (?:fortfahren|zu)|avant (?:de continuer|d['’]accéder)|antes de continuar|prima di continuare|voordat je verdergaat|your privacy|we value your privacy|privacy settings|cookie (?:consent|settings|preferences)|consent)/i
const consentTrace = /consent\.(?:google|youtube|yahoo)\.|guce\.|privacy-mgmt|sp_message|consent-page/i

/** Each needs a page with little text: a long article about captchas is an article. The first that holds names the page. */
const rules: readonly (readonly [PageVerdict, Rule])[] = [
  ['challenge', isChallenge],
  ['consent', isConsentPage],
  ['login', isLogin],
  ['soft-404', isMissing],
  ['empty', isEmpty],
]

/** Characters of content in `noscript` or structured data from which a page without visible text is not empty. */
const enoughElsewhere = 500

/** What kind of page this is, from the page alone. Doubt goes to `ok`. */
export function verdict(document: Document, capture: Capture): PageVerdict {
  const signs = collect(document)
  const found = rules.find(([, holds]) => holds(signs, capture))?.[0] ?? 'ok'
  return found === 'empty' && structuredText(document).join('').length >= enoughElsewhere ? 'ok' : found
}

function isChallenge(signs: Signs, capture: Capture): boolean {
  if (header(capture, 'cf-mitigated') === 'challenge') return true
  if (signs.letters > 1800) return false
  const points =
    (challengeTitle.test(signs.title) ? 2 : 0) +
    (challengeTrace.test(signs.traces) ? 1 : 0) +
    (challengeText.test(signs.start) || challengeText.test(signs.noscript) ? 2 : 0) +
    ([403, 405, 429, 503].includes(capture.status) ? 1 : 0)
  return points >= 3
}

function isConsentPage(signs: Signs): boolean {
  if (signs.letters > 3000 || signs.fields > 12) return false
  if (consentTitle.test(signs.title) || consentTitle.test(signs.heading)) {
    return /cookie|consent|privacy|datenschutz|confidentialité|privacidad/i.test(signs.start) || consentTrace.test(signs.traces)
  }
  return signs.letters < 150 && signs.consentLetters > 200
}

function isLogin(signs: Signs): boolean {
  if (signs.passwords === 0) return false
  if (signs.letters < 900) return true
  return signs.letters < 2000 && (loginTitle.test(signs.title) || loginTitle.test(signs.heading))
}

function isMissing(signs: Signs, capture: Capture): boolean {
  if (capture.status >= 400 || signs.letters > 4000) return false
  const parts = signs.title.split(/\s+[|–—·»:-]\s+/)
  if ([signs.heading, ...parts].some((part) => saysMissing(part, signs.letters))) return true
  return signs.letters < 1500 && missingAnywhere.test(signs.title)
}

/** Headings that go on after the words may be about missing pages. */
function saysMissing(text: string, letters: number): boolean {
  const found = missingTitle.exec(text)
  return found !== null && (letters < 800 || text.length - found[0].length < 12)
}

function isEmpty(signs: Signs): boolean {
  if (signs.noscript.length >= enoughElsewhere) return false
  if (signs.pictures === 0 && signs.letters < (signs.scripts > 0 ? 20 : 1)) return true
  if (signs.scripts === 0 || signs.letters > 600) return false
  if (jsDemand.test(signs.noscript) && signs.letters < 250) return true
  return signs.emptyRoot && signs.letters < 250
}

const rootIds: ReadonlySet<string> = new Set(['root', 'app', '__next', '__nuxt', 'main-app', 'react-root', 'app-root', 'gatsby', '___gatsby', 'svelte', 'q-app', 'ember-app', 'application', 'mount', 'app-container', 'react-app', 'vue-app'])
const rootNames: ReadonlySet<string> = new Set(['app-root', 'ng-app', 'my-app', 'app-component'])

class Collected {
  title = ''
  heading = ''
  letters = 0
  consentLetters = 0
  start = ''
  passwords = 0
  scripts = 0
  emptyRoot = false
  noscript = ''
  traces = ''
  pictures = 0
  fields = 0
}

function collect(document: Document): Signs {
  const signs = new Collected()
  walk(document, (node) => {
    if (isText(node)) addText(signs, node.data)
    return isElement(node) ? addElement(signs, node) : undefined
  })
  return signs
}

function addText(signs: Collected, data: string): void {
  signs.letters += measure(data).letters
  if (signs.start.length < 4000) signs.start += oneLine(data.slice(0, 2000)) + ' '
}

/** False when the element's text is not to be counted. */
function addElement(signs: Collected, element: Element): boolean {
  addTrace(signs, element)
  if (element.name === 'title') signs.title ||= oneLine(textOf(element, 500))
  if (element.name === 'noscript' && signs.noscript.length < 2000) signs.noscript += `${oneLine(textOf(element, 2000))} `
  if (element.name === 'script' && (attribute(element, 'type') ?? '') !== 'application/ld+json') signs.scripts++
  if (element.name === 'noscript' || nonContentTags.has(element.name) || isHidden(element)) return false
  if (isConsent(element)) {
    signs.consentLetters += measure(textOf(element, 20_000)).letters
    return false
  }
  addControl(signs, element)
  if (element.name === 'h1' && signs.heading === '') signs.heading = oneLine(textOf(element, 500))
  if (rootIds.has((attribute(element, 'id') ?? '').toLowerCase()) || rootNames.has(element.name)) signs.emptyRoot ||= isBare(element)
  return true
}

function addControl(signs: Collected, element: Element): void {
  if (element.name === 'img' || element.name === 'video' || element.name === 'canvas' || element.name === 'object' || element.name === 'embed') signs.pictures++
  if (element.name !== 'input') return
  const type = (attribute(element, 'type') ?? 'text').toLowerCase()
  if (type === 'password') signs.passwords++
  if (type !== 'hidden') signs.fields++
}

function addTrace(signs: Collected, element: Element): void {
  if (signs.traces.length > 50_000) return
  for (const name of ['src', 'id', 'class', 'action', 'href']) {
    const value = attribute(element, name)
    if (value && value.length < 300 && (name !== 'href' || element.name === 'link')) signs.traces += `${value} `
  }
  const script = element.name === 'script' && element.children[0]
  if (script && isText(script)) signs.traces += `${script.data.slice(0, 1500)} `
}

/** Whether a root container holds next to no text of its own. */
function isBare(element: Element): boolean {
  let letters = 0
  walk(element, (node) => {
    if (isElement(node) && (nonContentTags.has(node.name) || node.name === 'noscript')) return false
    if (isText(node)) letters += node.data.trim().length
    return letters < 100
  })
  return letters < 100
}
