/** A pattern of text that says nothing about the page, and its replacement in comparisons. */
type Rule = readonly [pattern: RegExp, replacement: string]

const unit = '(?:ms|µs|s|secs?|seconds?|milliseconds?|sekunden?|secondes?|segundos?|secondi|秒)'
// All quantifiers are bounded: a line may have a million digits.
const amount = String.raw`\d[\d.,]{0,20}`
const stamp = String.raw`[\w ,.:/+()-]{0,40}\d[\w,.:/+()-]{0,20}`
const span = '(?:s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?|d|days?|w|weeks?|months?|y|years?)'
const audience = '(?:page ?views?|views?|visits?|visitors?|hits|likes?|followers?|subscribers?|downloads?|impressions|viewers?|retweets|reposts|upvotes|aufrufe|besucher|ansichten|vues|visiteurs|visitas|visualizzazioni)'

/** Rendering times, and when the page was generated. */
const rendering: readonly Rule[] = [
  [new RegExp(String.raw`\b(generated|rendered|loaded|served|processed|executed|created|generiert|erzeugt|geladen|générée?|chargée?|generad[ao]|cargad[ao]|generat[ao]|caricat[ao])\b([^.\d]{0,25})${amount}\s?${unit}(?!\w)`, 'giu'), '$1$2#'],
  [new RegExp(String.raw`\b((?:page|rendering|render|load|loading|response|query|generation|execution|processing) time|ladezeit)\b([^\d\n]{0,15})${amount}\s?${unit}(?!\w)`, 'giu'), '$1$2#'],
  // Without a unit, only measures of pages: an order's processing time is in days, a contract's response time in hours.
  [new RegExp(String.raw`\b((?:page|rendering|render|load|loading|query|generation|execution) time|ladezeit)\b([^\d\n]{0,15})${amount}(?=\s{0,5}(?:$|[|)\];,·]))`, 'giu'), '$1$2#'],
  [new RegExp(String.raw`${amount} ((?:sql |db |database )?quer(?:y|ies)) in ${amount}\s?${unit}(?!\w)`, 'giu'), '# $1 in #'],
  [/\b((?:peak memory(?: usage)?|memory (?:usage|used)):?) \d[\d.,]{0,20} ?[KMG]i?B\b/giu, '$1 #'],
  // The amount of memory that a product has is a whole number.
  [/\b(memory:?) \d[\d,]{0,10}\.\d{1,6} ?[KM]i?B\b/giu, '$1 #'],
  [new RegExp(String.raw`\b((?:page )?(?:generated|rendered)(?: on| at)|(?:server|current|local) time(?: is)?|it is now|time now|last (?:refreshed|checked)(?: on| at)?|uhrzeit)\b[: ]{0,3}${stamp}`, 'giu'), '$1 #'],
]

/** Times relative to now. */
const relative: readonly Rule[] = [
  [new RegExp(String.raw`\b(?:(?:about|around|over|almost|nearly|less than) )?(?:(?:an?|one|\d{1,6})\s?${span}\.?,?\s{1,3}(?:and )?){1,3}ago\b`, 'giu'), '#'],
  [/\b(?:just now|moments? ago|a few (?:seconds|minutes) ago)\b/giu, '#'],
  [/\bvor (?:\d{1,6}|eine[rm]?) (?:sekunden?|minuten?|stunden?|tag(?:en)?|wochen?|monat(?:en)?|jahr(?:en)?)\b/giu, '#'],
  [/\bil y a (?:\d{1,6}|une?) (?:secondes?|minutes?|heures?|jours?|semaines?|mois|ans?)\b/giu, '#'],
  [/\bhace (?:\d{1,6}|un[ao]?) (?:segundos?|minutos?|horas?|días?|semanas?|mes(?:es)?|años?)(?!\p{L})/giu, '#'],
  [/\bhá (?:\d{1,6}|uma?) (?:segundos?|minutos?|horas?|dias?|semanas?|m[eê]s(?:es)?|anos?)(?!\p{L})/giu, '#'],
  [/(?<![\p{L}\d])(?:(?:\d{1,6} ?|(?:una?|een|bir) )\p{L}{1,12}\.?|год|месяц|неделю|день|час|минуту)\s(?:fa|geleden|назад|тому|temu|önce|siden|sedan|trước|yang lalu)(?!\p{L})/giu, '#'],
  [/\d{1,6} ?(?:초|분|시간|일|주|개월|년) ?전(?!\p{L})/gu, '#'],
  [/\d{1,6} ?(?:秒|分|分钟|小时|時間|日|天|周|週間|か月|个月|年)前/gu, '#'],
  [new RegExp(String.raw`\b((?:ends?|closes?|starts?|expires?|endet)(?: in)?)[: ]{1,3}\d{1,6}\s?${span}(?:[ ,:]{1,3}(?:and )?\d{1,6}\s?${span}){0,4}(?!\w)(?! (?:after|from|of|following|nach|ab)\b)`, 'giu'), '$1 #'],
  [/\b((?:ends?|closes?|starts?|expires?|endet)(?: in)?)[: ]{1,3}\d{1,3}(?::\d{2}){1,3}(?!\w)/giu, '$1 #'],
]

// The number is for sale in "10,000 downloads per month" and "up to 500 visitors".
const notSold = String.raw`(?!\s?(?:/|per\b|an?\s(?:day|week|month|year)\b|each\b|daily\b|monthly\b|(?:pro|im)\s(?:tag|monat|jahr)\b|par\s(?:jour|mois|an)\b|al\s(?:día|mes|año)\b))`
const counted = String.raw`(?<![\d.,]|\b(?:up to|max(?:\.|imum)?|limit of|includes?|including|bis zu|maximal|jusqu'à|hasta|fino a)\s)${amount}`

/** Counts of visitors. */
const counters: readonly Rule[] = [
  [new RegExp(String.raw`${counted}\s?[km]?\+?\s(${audience})(?!\p{L})${notSold}`, 'giu'), '# $1'],
  [new RegExp(String.raw`\b(${audience}|viewed|downloaded|counter)((?: today| total| count| so far)?)\s?:?\s${amount}(?![.,]?\d)\s?[km]?(?!\p{L})${notSold}`, 'giu'), '$1$2 #'],
  [new RegExp(String.raw`${amount}\s((?:people|users?|guests?|members?|visitors?|customers?|others?)(?: are| is)?(?: currently)? (?:online|viewing|watching|looking|here)\b)`, 'giu'), '# $1'],
  [/\d[\d.,]{0,20} (online)\b(?=\s?(?:$|[^\s\p{L}])|\s(?:now|today|users?|members?|guests?|visitors?|people|players?|friends?|and)\b)/giu, '# $1'],
]

const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/giu

/** Identifiers of a request or a visitor. */
const tokens: readonly Rule[] = [
  [uuid, '#'],
  [/\b((?:request|session|trace|correlation|ray|visitor)[ _-]?(?:id|key|no\.?)|csrf(?:[ _-]token)?|nonce|token)\s?([:#=])\s?(?!\d+[.,]\d)[\w.+/=-]{4,}/giu, '$1$2 #'],
]

/**
 * Whether a word is long and mixes all kinds of characters, like random base64. Checksums and commit ids are not: their
 * letters have one case.
 */
function isRandom(word: string): boolean {
  return /\d/.test(word) && /[a-z]/.test(word) && /[A-Z]/.test(word) && (word.match(/\d/g) ?? []).length * 12 > word.length
}

const passing = /^(?:_|ts|time|timestamp|rnd|rand|random|cb|cache|cachebuster|nocache|sid|session|sessionid|phpsessid|jsessionid|token|csrf|nonce|sig|signature|expires|utm_\w+|x-(?:amz|goog)-\w{1,20}(?:-token)?|jwt|access_token|_nc_\w+|oe|oh|se|st|fbclid|gclid|ref_?src)$/i

// On a file, these parameters name the build; on a page they may select it: a video, a topic, a release.
const passingOfFiles = /^(?:v|ver|version|rev|t|h|hash)$/i
const file = /[^/]\/[^/]+\.(?!(?:html?|php\d?|aspx?|jsp|cgi)$)[a-z0-9]{2,5}$/i

// Names of blobs, and seconds or milliseconds since 1970.
const passingValue = /^(?:[0-9a-f]{16,}|1[4-9]\d{8}(?:\d{3})?)$/i

function isPassing(name: string, value: string, path: string): boolean {
  return passing.test(name) || passingValue.test(value) || (value.length >= 20 && isRandom(value)) || (passingOfFiles.test(name) && file.test(path))
}

// The content hash in a file name; a date or a short number in it belongs to the name.
const fingerprint = /([.-])(?!\d{8,9}\.|(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:[0-2]\d|3[01])(?:\d{4}|\d{6})\.)[0-9a-f]{8,64}(?=\.[a-z0-9]{2,5}$)/iu

/** An address without the parts that change at each visit. */
function quietAddress(url: string): string {
  const at = url.indexOf('?')
  const asked = at < 0 ? url : url.slice(0, at)
  const path = asked.replace(/;jsessionid=[^/;]*/giu, '').replace(fingerprint, '$1#')
  if (at < 0) return path
  const query = url.slice(at + 1).split('&').map((pair) => {
    const [name = '', value = ''] = pair.split(/=(.*)/s, 2)
    return value !== '' && isPassing(name, value, asked) ? `${name}=#` : pair
  })
  return `${path}?${query.join('&')}`
}

const address = /(\]\(<?|\b(?=https?:\/\/))([^\s)>\]]+)/giu
const words = /[\w-]{24,}/gu

const textRules = [...rendering, ...relative, ...counters]

/** Matches relative times that may contain no digit. */
const timeInWords = /ago|now|vor eine|il y a|hace|há um|\bfa\b|geleden|назад|önce/i

/** A line of markdown as it is compared: without white space, list markers and everything that changes at each visit. */
export function quiet(line: string): string {
  const text = line.trim().replace(/^(?:[-*+]|\d+[.)])\s+/u, '').replace(/\s+/gu, ' ')
  if (!/\d/.test(text) && !timeInWords.test(text)) return text
  const addressed = text.replace(address, (_, before: string, url: string) => before + quietAddress(url))
  const ruled = [...tokens, ...textRules].reduce((now, [pattern, replacement]) => now.replace(pattern, replacement), addressed)
  return ruled.replace(words, (word) => (isRandom(word) ? '#' : word))
}
