/** What is said before the words. */
const before = String.raw`(?:(?:oops|ops|oups|oh no|uh-?oh|whoops|sorry|ups|hoppla|leider|entschuldigung|oeps|vaya|lo sentimos|désolée?|spiacenti|desculpe|beklager|przepraszamy|hata|抱歉|很抱歉|对不起|죄송합니다)[\s!,.:…،，！。¡–—-]*)?`
const error = '(?:error|http|fehler|erreur|errore|erro|fout|błąd|fel|fejl|feil|virhe|chyba|hiba|hata|eroare|ошибка|помилка|σφάλμα|خطأ|エラー|错误|오류)'

/** That there is no such page, as titles and headings begin with it in the languages of most sites. */
const words: readonly string[] = [
  String.raw`(?:${error}[\s:#–—-]*)?404(?![\p{L}\p{N}])`,
  String.raw`(?:the |this |that )?(?:page|site|content|article|product|document|file|url|item)(?: you(?: requested| were looking for| are looking for|['’]re looking for)?)?(?: \S+){0,2} (?:not (?:be )?found|(?:can(?:not|['’]t)|could(?: not|n['’]t)) be found|does(?: not|n['’]t) exist|no longer (?:exists|available)|is (?:missing|gone|unavailable))`,
  String.raw`not found|we (?:can(?:not|['’]t)|could(?: not|n['’]t)) find (?:that|the|this) page|(?:page|file) missing`,
  String.raw`(?:die |diese )?(?:angeforderte |gewünschte |gesuchte |aufgerufene )?seite (?:(?:wurde|konnte) (?:leider )?nicht gefunden|nicht gefunden|existiert (?:leider )?nicht|gibt es (?:leider )?nicht|nicht vorhanden)`,
  String.raw`(?:la |cette )?page (?:(?:que vous (?:re)?cherchez|demandée|recherchée) )?(?:(?:est )?introuvable|non trouvée|n['’]existe (?:pas|plus)|n['’]a pas été trouvée)`,
  String.raw`(?:la )?página (?:(?:solicitada|que (?:buscas?|está buscando|has solicitado)) )?(?:ya )?no (?:encontrada|existe|se encuentra|disponible)|no (?:se ha |hemos |pudimos )?encontr\p{L}+ (?:la|esa|esta) página`,
  String.raw`(?:la )?pagina (?:(?:richiesta|cercata) )?non (?:trovata|esiste|è stata trovata|disponibile)`,
  String.raw`(?:a )?página (?:que (?:você )?procura )?não (?:foi )?(?:encontrada|existe)`,
  String.raw`(?:de |deze )?pagina (?:niet gevonden|bestaat niet|(?:is|kon) niet (?:worden )?gevonden)`,
  String.raw`nie znaleziono (?:takiej )?strony|strona nie (?:została znaleziona|istnieje)`,
  String.raw`sidan (?:kunde inte hittas|hittades inte|finns inte)|siden (?:blev ikke fundet|kunne ikke findes|findes ikke|ble ikke funnet|finnes ikke)|sivua ei löyty(?:nyt)?`,
  String.raw`(?:požadovaná )?stránka (?:nenalezena|nebyla nalezena|neexistuje)|stránka (?:sa )?nenaš(?:la|iel)|az? (?:keresett )?oldal nem található|pagina nu (?:a fost găsită|există)`,
  String.raw`(?:aradığınız )?sayfa (?:bulunamadı|mevcut değil)|η σελίδα δεν βρέθηκε`,
  String.raw`(?:запрашиваемая |такая )?страница не (?:найдена|существует)|такой страницы (?:не существует|нет)|сторінк[уа] не (?:знайдено|існує)`,
  String.raw`(?:お探しの|指定された|ご指定の)?ページ(?:は|が)(?:見つかりません|存在しません)`,
  String.raw`(?:您(?:访问|查找|请求)的)?(?:页面|网页)(?:不存在|未找到|找不到)|找不到(?:该|此|您(?:要)?(?:访问|查找)的)?(?:页面|网页)|(?:頁面|網頁)不存在|找不到(?:此|該)?(?:頁面|網頁)`,
  String.raw`(?:요청하신 )?페이지(?:를|가) (?:찾을 수 없습니다|존재하지 않습니다)`,
  String.raw`الصفحة (?:المطلوبة )?غير موجودة|لم يتم العثور على الصفحة|הדף (?:המבוקש )?לא נמצא|העמוד לא נמצא`,
]
const missing = new RegExp(`^[\\s¡]*${before}(?:${words.join('|')})`, 'iu')

/** Whether a title or heading says that the page does not exist. One that goes on after the words may be about missing pages. */
export function saysMissing(text: string, letters: number): boolean {
  const found = missing.exec(text)
  return found !== null && (letters < 800 || text.length - found[0].length < 12)
}
