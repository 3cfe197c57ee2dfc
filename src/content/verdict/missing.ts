import { folded, foldedPattern } from '../../lib/folded.ts'

const error = '(?:error|http|fehler|erreur|errore|erro|fout|błąd|fel|fejl|feil|virhe|chyba|hiba|hata|eroare|lỗi|грешка|ошибка|помилка|σφάλμα|خطأ|خطای|שגיאה|エラー|错误|錯誤|오류)'

/** Phrases that mean "no such page" on their own at the start of a title or heading. */
const alone: readonly string[] = [
  String.raw`${error}[\s:：#–—-]*404(?![\p{L}\p{N}])|404(?:页面|頁面|错误|錯誤|エラー| 오류| ?ファイル[がは]| (?:error|erreur|fehler|page|not|file|oops)\b)?(?!(?<!ファイル[がは])\s*[\p{L}\p{N}])`,
  String.raw`404-es hiba|not found|(?:page|file) missing|nie znaleziono(?=[\s.!]*$)`,
  String.raw`(?:the |this |that )?(?:page|site|content|article|topic|product|document|file|url|item)(?: you(?: requested| were looking for| are looking for|'re looking for)?)?(?: \S+){0,2} (?:not (?:be )?found|(?:can(?:not|'t)|could(?: not|n't)) be found|does(?: not|n't) exist|no longer (?:exists|available)|is (?:missing|gone|unavailable))`,
  String.raw`we (?:can(?:not|'t)|could(?: not|n't)) find (?:that|the|this) page`,
]

const up = (words: number): string => String.raw`(?:\p{L}+ ){0,${words}}`

/** Pairs of a thing and a phrase that says it is missing, which occur in either order, in the languages of most sites. */
const pairs: readonly (readonly [thing: string, gone: string])[] = [
  [String.raw`(?:web)?seite|inhalt|dokument|beitrag`, String.raw`nicht (?:mehr )?(?:gefunden|finden|vorhanden|verfügbar|existier|auffindbar)|existiert ${up(2)}nicht|gibt es ${up(2)}nicht`],
  [String.raw`page|contenu|document`, String.raw`introuvable|inexistant|non trouvée?|n'existe ${up(1)}(?:pas|plus)|n'est ${up(1)}(?:pas|plus) ${up(1)}(?:disponible|accessible)|n'a pas ${up(2)}trouvée?|ne trouv\p{L}+ (?:pas|plus)`],
  [String.raw`pagina|contenido|conteúdo|contenuto|documento`, String.raw`(?:no|não|non|nu) ${up(3)}(?:encontr|exist|disponib|disponív|localiz|trova|esist|găsit)|inexistente`],
  [String.raw`pagina`, String.raw`niet ${up(2)}(?:gevonden|vinden|beschikbaar)|bestaat ${up(2)}niet`],
  [String.raw`sidan?|siden`, String.raw`(?:inte|ikke|ej) ${up(2)}(?:hitta|funn|fund|find|fant)|(?:hitta|funn|find|finn|fant|exister)\p{L}* ${up(1)}(?:inte|ikke|ej)(?!\p{L})`],
  [String.raw`sivua?`, String.raw`ei ${up(1)}löy(?:dy|tyn)`],
  [String.raw`stránk[auy]`, String.raw`nenalezen|nenájden|nenaš(?:la|iel)|neb(?:yl|ol)a (?:nalezena|nájdená)|neexistuje`],
  [String.raw`stron[ayę]`, String.raw`nie ${up(3)}(?:znalezion|znaleźć|istnieje)|nie ma (?:takiej|tej)`],
  [String.raw`stranic[au]|stran`, String.raw`ni(?:je|)? (?:pronađen|najden|bila najdena)|ne (?:postoji|obstaja)`],
  [String.raw`oldal`, String.raw`nem ${up(1)}(?:talál|létez|elérhető)`],
  [String.raw`puslapis|lapa|lehekülge?`, String.raw`nerastas|neegzistuoja|nav atrasta|neeksistē|ei leitud`],
  [String.raw`sayfa`, String.raw`bulunama|mevcut değil|(?<=sayfa )yok(?!\p{L})`],
  [String.raw`trang`, String.raw`không (?:tồn tại|tìm thấy)`],
  [String.raw`halaman|laman`, String.raw`tidak ${up(1)}(?:ditemukan|ditemui|dijumpai|ada|tersedia)(?!\p{L})`],
  [String.raw`σελίδα`, String.raw`δεν ${up(2)}(?:βρέθηκε|βρήκαμε|υπάρχει)`],
  [String.raw`страниц\p{L}*|документ`, String.raw`не ${up(2)}(?:найден|существует|обнаружен|намерена|съществува)`],
  [String.raw`страниц\p{L}*`, String.raw`удалена(?!\p{L})|нет такой|(?<=такой страницы )нет(?!\p{L})`],
  [String.raw`сторінк\p{L}*`, String.raw`не ${up(2)}(?:знайден|існує)|немає`],
  [String.raw`ページ`, String.raw`見(?:つか|当た)りません|存在(?:しません|いたしません)|(?:は|が)(?:ありません|ございません|削除され)`],
  [String.raw`[页頁]面?|网页|網頁`, String.raw`不存在|(?:没有?|沒有?|未)找到|找不到|不见了|走丢了|(?:已被?|已经)(?:删除|刪除)|[无無]法找到`],
  [String.raw`内容|文章`, String.raw`(?<=内容|文章)(?:不存在|已被?删除)`],
  [String.raw`페이지|게시물|게시글`, String.raw`찾을 수(?:가)? 없|찾지 못|존재하지 않|(?<=페이지가 )없습니다|삭제되었`],
  [String.raw`صفحة`, String.raw`غير (?:موجود|متوفر|متاح)|لم (?:يتم|نتمكن من|نستطع) العثور|لم نجد|لا (?:توجد|يمكن العثور)`],
  [String.raw`صفحه`, String.raw`(?:یافت|پیدا) نشد|(?:وجود|موجود) (?:ندارد|نیست)`],
  [String.raw`דף|עמוד`, String.raw`לא (?:נמצא|קיים)|אינו (?:נמצא|קיים)`],
  [String.raw`หน้า`, String.raw`ไม่(?:พบ|เจอ)`],
  [String.raw`पृष्ठ|पेज`, String.raw`नहीं मिल|(?:मौजूद|उपलब्ध) नहीं`],
]

/** What may be between the two, within one sentence. A question is about missing pages. */
const between = '[^.:!?。！？]{0,60}?'
const notAsked = String.raw`(?![^.!。！]{0,12}[?？])`
/** Short words in Latin letters may be parts of other words. */
const start = '(?<![a-z])'

const atStart = new RegExp(`^[\\s¡]*(?:(?:oops|ops|oups|oh no|uh-?oh|whoops|sorry)[\\s!,.:…–—-]*)?(?:404[\\s:：–—-]+)?(?:${alone.map(foldedPattern).join('|')})`, 'u')
const anywhere = new RegExp(pairs.map(both).join('|'), 'u')
/** Most titles contain none of the things, and need no further test. */
const anyThing = new RegExp(pairs.map(([thing]) => foldedPattern(thing)).join('|'), 'u')

function both(pair: readonly [string, string]): string {
  const [thing, gone] = pair.map((words) => `${start}(?:${foldedPattern(words)})`)
  return `(?:${thing}${between}${gone}|${gone}${between}${thing})${notAsked}`
}

/**
 * A page with fewer letters is no article, whatever its heading: there, an apology may precede the words, and some text may
 * follow.
 */
const littleText = 800
const mostBefore = 60
const mostAfter = 30
/** On a page with more text, the title says little else. */
const mostMore = 12

const advice = /\b(?:how (?:to|do)|(?:fix|solv|handl|debug|troubleshoot|customi[sz]|resolv|prevent)(?:e|es|ed|ing)?|tutorial|explained|best practices)\b/i

/** Whether a title or heading gives advice about missing pages. */
export const isAboutMissing = (text: string): boolean => advice.test(text)

/**
 * Whether a title or heading says that the page does not exist. On a page with some text, a title that says more may be
 * about missing pages.
 */
export function saysMissing(text: string, letters: number): boolean {
  if (text.length > 500 || isAboutMissing(text)) return false
  const plain = folded(text)
  const found = atStart.exec(plain) ?? (anyThing.test(plain) ? anywhere.exec(plain) : null)
  if (found === null) return false
  const more = plain.length - found[0].length
  if (letters >= littleText) return more < mostMore
  return found.index === 0 && atStart.test(plain) ? true : found.index <= mostBefore && more - found.index <= mostAfter
}
