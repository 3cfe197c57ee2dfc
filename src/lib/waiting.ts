import { folded, foldedPattern } from './folded.ts'

const joined = (patterns: readonly string[]): string => `(?:${patterns.map(foldedPattern).join('|')})`

const waiting = [
  '(?:now )?loading', 'please wait', 'one moment', 'just a moment', 'redirecting', 'you are being redirected', '(?:seite )?wird geladen', 'lädt', 'bitte warten', '(?:sie werden )?weiter(?:geleitet|leitung)', 'chargement', 'redirection', 'cargando', 'redirigiendo', 'caricamento', 'carregando', 'laden', 'bezig met laden', 'ładowanie', 'wczytywanie',
  '(?:подождите, )?(?:ид[её]т )?загрузка', 'подождите', 'завантаження', 'зареждане', 'yükleniyor', 'načítá(?:ní|m)?', 'načítavam', 'betöltés', 'laddar', 'indlæser', 'laster', 'ladataan', 'se încarcă', 'φόρτωση', 'đang tải', 'memuat', 'جاري? التحميل', 'در حال بارگذاری', 'טוען',
  '読み込み中', 'ロード中', 'しばらくお待ち', '(?:页面)?(?:正在)?加载中?', '(?:正在)?[载載]入中?', '[读讀]取中', '[请請]稍[候等后後]', '로딩 ?중', '불러오는 중', '잠시만 기다', 'กำลังโหลด', 'लोड हो रहा',
]
// A word of an alphabet that continues is another word; scripts without spaces have no such end.
const begins = new RegExp(String.raw`^[^\p{L}]*${joined(waiting)}(?![\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Arabic}\p{Script=Hebrew}])`, 'u')

/** Whether a text begins like a page, or a part of one, that is not there yet. */
export const beginsWithWaiting = (text: string): boolean => begins.test(folded(text))

const leaving = [
  String.raw`you (?:will|are about to|should) (?:\S+ )?be (?:\S+ )?(?:redirected|forwarded)`, 'you are (?:now )?being (?:redirected|forwarded)', 'redirecting (?:you|to|in)',
  String.raw`(?:sie|du) (?:werden|wirst) (?:\S+ ){0,5}weitergeleitet`, String.raw`vous (?:allez être|serez|êtes) (?:\S+ ){0,2}redirigée?s?`, String.raw`ser(?:á|ás|a|as) (?:\S+ ){0,2}(?:redirigid[oa]|redireccionad[oa]|redirecionad[oa])`, String.raw`(?:verrai|sarai|verrete|sarete) (?:\S+ ){0,2}re(?:indirizzat|dirett)[oi]`, String.raw`(?:wordt|word) (?:\S+ ){0,4}(?:doorgestuurd|doorverwezen)`, String.raw`(?:zostaniesz|nastąpi) (?:\S+ ){0,3}przekierowan`, 'вы будете (?:автоматически )?перенаправлены',
]
const leads = new RegExp(joined(leaving), 'u')

/** Whether a text tells its reader that another page follows by itself. */
export const saysLeaving = (text: string): boolean => leads.test(folded(text))
