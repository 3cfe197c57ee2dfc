import type { Capture } from '../../domain/pages/capture.ts'
import { header } from '../../domain/pages/capture.ts'
import type { Signs } from './signs.ts'

const title =
  /^(?:just a moment|attention required! \| cloudflare|please wait|checking your browser(?: before accessing .*)?|ddos-guard|access denied|access to this page has been denied|pardon our interruption|are you a robot|robot or human|robot check|security check|human verification|bot verification|verify(?:ing)? you are (?:a )?human|un momento|einen moment|un instant|один момент|вы не робот|verification required|captcha|blocked|request (?:blocked|rejected)|you have been blocked|one more step|client challenge|performing security verification|nur einen moment|zugriff verweigert|sicherheits(?:über)?prüfung|accès refusé|vérification de sécurité|acceso denegado|verificación de seguridad|accesso negato|um momento|acesso negado|toegang geweigerd|chwileczkę|odmowa dostępu|доступ (?:запрещ[её]н|ограничен)|проверка безопасности|erişim engellendi|güvenlik (?:doğrulaması|kontrolü)|(?:百度)?安全[验驗][证證]|访问验证|人机验证|滑动验证(?:页面)?|访问(?:被拒绝|受限)|アクセスが拒否されました|보안 ?확인)(?=[\s.!?…]*(?:$|[|·–—-]\s))/i
/** Traces of bot protection that also occur on regular pages, in forms and monitoring scripts. */
const trace =
  /cf-turnstile|challenges\.cloudflare\.com|perimeterx|human-challenge|datadome|_incapsula_resource|incapsula|edgesuite\.net|akamai-challenge|g-recaptcha|recaptcha\/api|h-captcha|hcaptcha\.com|arkoselabs|funcaptcha|awswaf|aws-waf|ddos-guard|kpsdk|geetest/i
/** Traces that only challenge pages have. */
const ownTrace =
  /_cf_chl_opt|cf[-_]chl(?!-widget)|challenge-error-text|cf-error-details|px-captcha|captcha-delivery\.com(?:\/\w|['"])|_incapsula_resource\?[sc]wudnsai|sec-if-cpt|sec-cpt-if|gokuprops|kpsdk=\{\}|__qrator\/|anubis_challenge|ddos-guard\/js-challenge|\.well-known\/vercel\/security|sgcaptcha|\/validatecaptcha|\/checkcaptcha\b/i
const text =
  /verify(?:ing)? (?:that )?you(?: are|['’]re) (?:a )?(?:human|not a (?:ro)?bot)|verifying your browser|are you a (?:human|robot)|checking (?:if the site connection is secure|your browser)|(?:complete|solve) the (?:security check|captcha|challenge)|unusual traffic from your (?:computer )?network|press (?:&|and) hold|enable javascript and cookies to continue|(?:prove|sure) (?:that )?you(?: are|['’]re) (?:not a (?:ro)?bot|human)|made us think (?:that )?you were a bot|you (?:have been|were) blocked|access denied|request unsuccessful\. incapsula|requested url was rejected\. please consult|automated (?:access|queries|requests)|please stand by, while we are checking|confirm (?:that )?you(?: are|['’]re) (?:a )?human|i['’]m not a robot|bist du ein mensch|sind sie ein mensch|ich bin kein roboter|bestätigen sie, dass sie (?:kein roboter|ein mensch)|je ne suis pas un robot|vous n['’]êtes pas un robot|no soy un robot|non sono un robot|não sou um robô|ik ben geen robot|nie jestem robotem|robot (?:olmadığınızı|değilim)|я не робот|что вы не робот|похожи на автоматические|请(?:完成|进行|通过).{0,6}验证|拖动.{0,4}滑块|访问(?:过于|太)?频繁|不是机器人|異常な(?:アクセス|トラフィック)|ロボットではあり|ロボットでない|로봇이 아닙니다|비정상적인 (?:접근|접속|트래픽|요청)|أنا لست (?:برنامج )?روبوت|ไม่ใช่หุ่นยนต์/i
/** Titles that may be those of pages about such a check, and the elements in which it is drawn. */
const thing = /^captcha/i
const widget = /(?<![\w.-])(?:g-recaptcha|h-captcha|cf-turnstile|frc-captcha|geetest\w*|funcaptcha|arkose\w*)/i
/** Response headers of challenge pages. */
const headers: readonly (readonly [name: string, value: RegExp])[] = [
  ['cf-mitigated', /^challenge$/i],
  ['x-vercel-mitigated', /^challenge$/i],
  ['x-amzn-waf-action', /^(?:challenge|captcha)$/i],
]

/** An article about bot protection has more letters. */
const maxLetters = 1800
/** A challenge page has hardly any links; a page with more, such as navigation and footer, needs all the signs. */
const fewLinks = 5

/** Whether a page is a bot check in place of the page that was requested. */
export function isChallenge(signs: Signs, capture: Pick<Capture, 'status' | 'headers'>): boolean {
  if (headers.some(([name, value]) => value.test(header(capture, name) ?? ''))) return true
  if (signs.letters > maxLetters) return false
  if (ownTrace.test(signs.traces)) return true
  const traced = trace.test(signs.traces)
  const points =
    (title.test(signs.title) && (!thing.test(signs.title) || signs.fields > 0 || signs.frames > 0 || widget.test(signs.traces)) ? 2 : 0) +
    (traced ? 1 : 0) +
    (text.test(signs.start) || text.test(signs.noscript) ? 2 : 0) +
    ([403, 405, 429, 503].includes(capture.status) ? 1 : 0)
  return signs.links > fewLinks ? traced && points >= 5 : points >= 3
}
