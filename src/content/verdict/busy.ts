import type { Capture } from '../../domain/pages/capture.ts'
import type { Signs } from './signs.ts'

/** What overloaded sites say in place of a page, under a status of success, in the languages of most sites. */
const words: readonly string[] = [
  String.raw`(?:server|site|website|service|system|page|we are|we['’]re)(?: \S+){0,3} (?:too )?(?:busy|overloaded|over capacity)|(?:too many|a lot of|lots of) (?:requests|visitors|connections|users)|(?:heavy|high|unusually high|large) (?:load|traffic|demand|volume)`,
  String.raw`try (?:it |this )?again (?:later|shortly|in (?:a|an?other|some|\d+) ?(?:few )?(?:moments?|seconds?|minutes?|while)|in (?:moments?|seconds|minutes))|temporarily (?:unavailable|overloaded|out of service)|(?:bandwidth|resource) limit (?:exceeded|is reached)|error establishing a database connection`,
  String.raw`(?:zurzeit|derzeit|momentan|vorübergehend) (?:überlastet|nicht (?:erreichbar|verfügbar))|später (?:noch ?(?:ein)?mal|erneut|wieder)|zu viele (?:anfragen|besucher|zugriffe)`,
  String.raw`(?:serveur|site|service)(?: \S+){0,3} (?:surchargé|saturé|indisponible)|(?:réessayer|réessayez|revenir|revenez)(?: \S+){0,2} (?:plus tard|dans quelques)|trop de (?:requêtes|connexions|visiteurs)`,
  String.raw`(?:servidor|sitio|servicio)(?: \S+){0,3} (?:ocupado|saturado|sobrecargado|no disponible)|(?:inténtelo|inténtalo|intente|vuelva)(?: \S+){0,4} (?:más tarde|en unos)|demasiadas (?:solicitudes|peticiones)`,
  String.raw`(?:riprova|riprovare) (?:più tardi|tra)|troppe richieste|tente novamente (?:mais tarde|em)|servidor(?: \S+){0,3} (?:ocupado|sobrecarregado)|probeer het later|spróbuj (?:ponownie )?później`,
  String.raw`(?:сервер|сайт)(?: \S+){0,3} (?:перегружен|временно недоступен)|(?:попробуйте|повторите)(?: \S+){0,3} позже|слишком много запросов`,
  String.raw`(?:しばらく|後ほど|時間を(?:お|置)い).{0,20}(?:お試し|アクセス|やり直)|アクセスが集中|(?:请|請).{0,6}(?:稍后|稍後).{0,6}(?:再试|重试|再試|重試)|(?:服务器|伺服器|系统|系統).{0,4}(?:繁忙|忙碌)|잠시 후 (?:다시|재)`,
]
const busy = new RegExp(words.join('|'), 'iu')

/** A page with more text says something else, and a regular page of the site has its navigation. */
const maxLetters = 400
const fewLinks = 4

/** Whether the site says that it is too busy to show the page, with a status below 300. False when in doubt. */
export function saysBusy({ letters, links, fields, start, title, heading }: Signs, { status }: Pick<Capture, 'status'>): boolean {
  if (status >= 300 || letters > maxLetters || links > fewLinks || fields > 0) return false
  return [title, heading, start].some((text) => busy.test(text))
}
