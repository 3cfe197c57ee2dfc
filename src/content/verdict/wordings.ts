/** Phrases of bot checks, logins and unfinished pages, in the languages of most sites. */
import { folded, foldedPattern } from '../../lib/folded.ts'

const words = (...all: readonly string[]): string => `(?:${all.map(foldedPattern).join('|')})`
const says = (pattern: string): ((text: string) => boolean) => {
  const test = new RegExp(pattern, 'u')
  return (text) => test.test(folded(text))
}

/** Boundaries of words in alphabets; scripts without spaces have none. */
const start = String.raw`(?<!\p{L})`
const end = String.raw`(?![\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Arabic}\p{Script=Hebrew}])`

const login = words(
  'log ?in', 'sign ?in', 'sign on', 'anmelden', 'anmeldung', 'einloggen', 'connexion', 'se connecter', 'connectez-vous', 'iniciar sesión', 'acceder', 'accedi', 'inloggen', 'entrar', 'iniciar sessão',
  'войти', 'вход', 'авторизация', 'увійти', 'вхід', 'вписване', 'giriş yap', 'üye girişi', 'oturum aç', 'zaloguj(?: się)?', 'logowanie', 'přihlášení', 'přihlásit se', 'prihlásenie', 'prijava', 'bejelentkezés', 'belépés',
  'logga in', 'log ind', 'logg inn', 'kirjaudu(?: sisään)?', 'autentificare', 'conectare', 'σύνδεση', 'είσοδος', 'đăng nhập', 'masuk', 'log masuk',
  'ログイン', 'サインイン', '登录', '登錄', '登入', '로그인', 'تسجيل الدخول', 'ورود', 'התחברות', 'כניסה', 'เข้าสู่ระบบ', 'ล็อกอิน', 'लॉग ?इन', 'साइन इन',
)

/** Whether a title or heading mentions logging in. */
export const saysLogin = says(`${start}${login}${end}|login required|authentication required|ログイン|登录|登入`)
/** Whether a title or heading starts with a login phrase. */
export const beginsWithLogin = says(`^${login}${end}`)

const newPassword = words(
  'regist(?:er|ration|re|ro|rar|rarse|razione|rati|rieren|rierung|reren|ratie|race|rácia|racija|rera|rering|reren)', 'sign ?up', 'join', 'create (?:(?:an?|your|my) )?(?:new |free )*account', 'new account', 'konto (?:erstellen|anlegen|eröffnen)', 'inscription', 's\'inscrire', 'créer (?:un|votre|mon) compte',
  'inscripción', 'crear (?:una |tu |mi )?cuenta', 'criar (?:uma )?conta', 'cadastr(?:o|ar|e-se)', 'iscrizione', 'iscriviti', 'crea (?:un )?account', 'account aanmaken', 'rejestracja', 'zarejestruj się', 'skapa (?:ett )?konto', 'opret (?:en )?konto', 'opprett (?:en )?konto', 'luo tili', 'rekisteröidy', 'regisztráció', 'înregistrare',
  'εγγραφή', 'регистрация', 'зарегистрироваться', 'реєстрація', 'kayıt ol', 'üye ol', 'đăng ký', '注册', '註冊', '新規登録', '会員登録', '회원가입', 'הרשמה', 'สมัครสมาชิก',
  'passwor[dt][- ]?generator', 'password (?:strength|checker|test\\p{L}*)', 'générateur de mots? de passe', 'generador de contraseñas', 'generatore di password', 'gerador de senhas?', 'wachtwoordgenerator', 'генератор паролей', '密码生成器', 'パスワード生成',
)

/** Whether a title or heading begins by being about getting an account or a password, not about using one. */
export const saysNewPassword = says(`^${newPassword}${end}`)

const shown = '(?:page|content|forum|topic|thread|board|area|section|profile|document)s?'
const loggedIn = '(?:registered and )?(?:logged|signed)[ -]?in'
const loginDemand = words(
  String.raw`(?:must|need to|have to) (?:be (?:a (?:registered )?member|${loggedIn})|(?:log|sign) ?in) (?:in order )?to (?:view|see|access|read|open) (?:this|the|that|other|these) (?:\S+ )?${shown}`,
  String.raw`(?:log|sign) ?in to (?:view|see|access|read|open) (?:this|the|that|other|these) (?:\S+ )?${shown}`,
  `requires? (?:you|visitors) to be ${loggedIn}`, 'you are not logged in or you do not have permission',
  String.raw`(?:angemeldet|eingeloggt) sein, um (?:diese[ns]?|den|die|das|auf diese) `, String.raw`(?:vous devez|il faut) (?:être connectée?(?:\(e\))?|vous connecter) pour (?:voir|accéder|consulter|lire) `,
  String.raw`(?:debes?|tienes que|necesitas) (?:iniciar sesión|estar (?:conectado|registrado)) para (?:ver|acceder|leer) `, String.raw`(?:devi|è necessario) (?:accedere|effettuare l'accesso) per (?:vedere|visualizzare|leggere) `,
)

/** Whether a text says that one must log in to see the page. */
export const demandsLogin = says(`${start}${loginDemand}`)

const enable = words(
  'enabl', 'activat', 'turn(?:ed)? on', 'requir', String.raw`(?<!\p{L})needs?`, 'without', 'allow', 'disabled', 'turned off', 'aktivier', 'benötig', 'erforderlich', 'einschalten', 'activ(?:er|ez|ar|e)', 'nécessaire', 'désactivé', 'habilit', 'deshabilitado', 'abilit', 'ativ(?:ar|e|ado)',
  'включит', 'отключен', 'увімкн', 'schakel', 'inschakelen', 'włącz', 'etkin', 'povol', 'zapn', 'engedélyez', 'aktivera', 'aktivér', 'aktifkan', 'ενεργοποι', 'bật', '有効', '無効', '啟用', '启用', '开启', '開啟', '允许', '활성화', '사용', '켜', 'تمكين', 'تفعيل', 'הפעיל', 'เปิดใช้', 'सक्षम', '必要', String.raw`(?<!\p{L})(?:ohne|sans|sin|senza|zonder|bez)(?!\p{L})`,
)
const script = '(?:java ?script|자바스크립트)'

const demand = says(`${enable}[^.。]{0,60}${script}|${script}[^.。]{0,60}${enable}`)

/** Whether a text asks for scripts to be allowed. */
export const asksForScripts = (text: string): boolean => /script|자바/i.test(text) && demand(text)

const consent = words(
  'before you continue', 'bevor sie (?:fortfahren|zu)', 'avant (?:de continuer|d\'accéder)', 'antes de (?:continuar|avançar|ir a)', 'prima di continuare', 'voordat je verdergaat', 'zanim przejdziesz', 'než budete pokračovat', 'mielőtt továbblép', 'înainte de a continua', 'innan du fortsätter', 'før du fortsætter', 'før du fortsetter', 'ennen kuin jatkat', 'πριν συνεχίσετε', 'прежде чем (?:перейти|продолжить)', 'перш ніж перейти', 'devam etmeden önce', '.{0,20}に進む前に', '在(?:您)?继续',
  'your privacy', 'we value your privacy', 'privacy settings', 'cookie (?:consent|settings|preferences)', 'consent', 'cookies? zustimmen', 'zustimmung', 'einwilligung', 'ihre privatsphäre', 'wir schätzen ihre privatsphäre', 'datenschutz-?einstellungen', 'votre vie privée', 'nous respectons votre vie privée', 'tu privacidad', 'la tua privacy', 'uw privacy', 'jouw privacy',
  String.raw`\S+(?: \S+)? privacy ?gate`, 'sie haben die wahl',
)

/** Whether a title or heading begins by asking for consent. */
export const beginsWithConsent = says(`^${consent}`)

const answer = words(
  'accept', 'agree', 'allow', 'consent', 'reject', 'decline', 'refuse', 'deny', 'got it', 'ok(?:ay)?(?!\\p{L})', 'i understand', 'continue', '(?:manage|more) (?:options|choices|cookies|preferences)', 'akzeptier', 'zustimm', 'einwillig', 'einverstanden', 'ablehn', 'verweiger', 'weiter(?!\\p{L})',
  'j\'accepte', 'refuser', 'continuer', 'acept', 'rechaz', 'accett', 'rifiut', 'aceit', 'recus', 'akkoord', 'weiger', 'akceptuj', 'zgadzam', 'zgoda', 'odrzuć', 'souhlas', 'přijmout', 'přijímám', 'odmítnout', 'súhlas', 'elfogad', 'elutasít', 'respinge', 'godkänn', 'avvisa', 'neka', 'tillad', 'afvis', 'godta', 'avvis', 'hyväksy', 'hylkää', 'prihva', 'odbij',
  'αποδοχή', 'αποδέχομαι', 'συμφων', 'απόρριψη', 'приня', 'принима', 'соглас', 'отклон', 'прийня', 'погод', 'відхил', 'приема', 'kabul', 'reddet', 'đồng ý', 'chấp nhận', 'setuju', 'terima', 'tolak',
  'zulass', 'erlaub', 'autoris', 'permit', 'permett', 'deneg', 'negar', 'acconsent', 'toesta', 'tillåt', 'salli', 'zezw[oó]l', 'zaakceptuj', 'povol', 'engedélyez',
  '同意', '接受', '拒否', '拒绝', '拒絕', '許可', '允许', '允許', '허용', '동의', '거부', 'قبول', 'موافق', 'رفض', 'پذیر', 'מסכים', 'אישור', 'ยอมรับ', 'स्वीकार',
)

/** Whether the words on a button answer a question for consent. */
export const answersConsent = says(`${start}${answer}`)

const accept = words(
  'accept (?:all )?(?:and|&) (?:continue|close)', 'accept all', 'agree (?:and|&) continue', 'consent (?:and|&) continue',
  '(?:zustimmen|akzeptieren|einwilligen|einverstanden) (?:und|&) (?:weiter|schließen)', 'alles? akzeptieren', 'mit werbung (?:weiter ?)?(?:lesen|nutzen)', 'wie gewohnt mit werbung', '(?:mit werbung|aller cookies) (?:zuzustimmen|zustimmen)', 'werbung (?:- )?einverstanden',
  'accepter (?:et|&) (?:continuer|fermer|lire)', 'tout accepter', 'accepter les cookies', 'accett(?:a|are) (?:e|&) (?:continu|chiud)', 'accett(?:a|are) (?:tutti )?i? ?cookie', 'accetta tutt[oi]', 'aceptar y continuar', 'aceptar (?:todas |las |todas las )?cookies', 'aceptar todo', 'aceitar (?:tudo|todos|e continuar)', 'alles accepteren', 'accepteren en doorgaan',
)
const pay = words(
  'pur-?abo', '(?:mit|im|oder) (?:\\S+ )?pur', 'pur bestellen', 'werbefrei', 'ohne (?:werbung|(?:werbe-?)?tracking)', 'contentpass', 'ad-?free', 'without ads', 'reject (?:all )?(?:and|&) (?:subscribe|pay)', '(?:subscribe|pay) (?:to|and) reject', 'sans publicité', 'refuser et s\'abonner', 's\'abonner (?:et|pour) refuser', 'rifiut\\p{L}+ e (?:abbona|acquista|paga)', 'senza pubblicità', 'rechazar y (?:suscrib|pagar|abonar)', 'suscri\\p{L}+ (?:y|para) rechazar', 'sin publicidad', 'zonder advertenties',
)
const accepts = new RegExp(accept, 'u')
const pays = new RegExp(pay, 'u')

/** Whether a text lets its reader choose between being tracked and paying. */
export function offersPayOrConsent(text: string): boolean {
  if (!/cookie|tracking|consent|einwillig|zustimm/i.test(text)) return false
  const plain = folded(text)
  return accepts.test(plain) && pays.test(plain)
}

/** Whether a heading is about such a choice, or greets. */
export const isAboutConsent = says(words('werbung', 'cookies?', 'tracking', 'zustimm', 'einwillig', 'einverstanden', 'datenschutz', 'priva', 'consent', 'wahl', 'willkommen', 'welcome', 'weiterlesen', 'pur', 'publicité', 'pubblicità', 'publicidad', 'contenu gratuit', 'bienvenue', 'benvenut'))
