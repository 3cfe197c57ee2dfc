import type { Capture } from '../domain/capture.ts'
import { header } from '../domain/capture.ts'
import type { PageVerdict } from '../domain/reading.ts'
import { loginLetters, type Signs } from './signs.ts'

type Rule = (signs: Signs, capture: Pick<Capture, 'status' | 'headers'>) => boolean

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

/** What kind of page this is, from the page alone. Doubt goes to `ok`. */
export function verdict(signs: Signs, capture: Pick<Capture, 'status' | 'headers'>): PageVerdict {
  return rules.find(([, holds]) => holds(signs, capture))?.[0] ?? 'ok'
}

function isChallenge(signs: Signs, capture: Pick<Capture, 'status' | 'headers'>): boolean {
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
  if (signs.passwords === 0 || signs.loginAbove) return false
  if (signs.letters < 900) return true
  return signs.letters < loginLetters && (loginTitle.test(signs.title) || loginTitle.test(signs.heading))
}

function isMissing(signs: Signs, capture: Pick<Capture, 'status' | 'headers'>): boolean {
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
  if (signs.pictures === 0 && signs.letters < (signs.scripts > 0 ? 20 : 1)) return true
  if (signs.scripts === 0 || signs.letters > 600) return false
  if (jsDemand.test(signs.noscript) && signs.letters < 250) return true
  return signs.emptyRoot && signs.letters < 250
}
