/** Words directly before a number that make it a bound, or the price of former days, in languages of Europe. */
const words = [
  'from|starting at|starts at|up to|upto|less than|fewer than|more than|under|over|above|below|at least|at most|minimum|maximum|min|max|before|after|until|was|instead of|rrp|msrp',
  'ab|bis|bis zu|mindestens|mind|höchstens|maximal|über|unter|mehr als|weniger als|vor|nach|statt|vorher|uvp',
  'à partir de|a partir de|dès|jusqu[\'’]à|moins de|plus de|avant|après|au moins',
  'desde|hasta|más de|menos de|antes de|mínimo|máximo|da|a partire da|fino a|più di|meno di|oltre|até|mais de',
  'vanaf|tot|meer dan|minder dan|od|do|från|fra|upp till|op til|opp til',
].join('|')
const before = new RegExp(`(?:(?:^|[^\\p{L}])(?:${words})[^\\p{L}\\d]{0,4}|[<>≤≥]\\s?[^\\p{L}\\d\\s]?\\s?)$`, 'iu')
/** Marks and words directly after a number that make it a bound, or another number. */
const after = /^(?:\s?\+(?!\d)|\s?[½¼¾⅓⅔⅛⅜⅝⅞]|k(?!\p{L})|\s?M[€$£]|\s?(?:tsd|tausend|thousand|mille|mil|mio|mrd|bn|lakh|crore|milli?on\p{L}*|milliard\p{L}*|millones|milhões|billion\p{L}*)(?!\p{L})|\s?[千万萬億亿]|[^\p{L}\d]{0,4}(?:\p{L}{1,12}[ \t])?(?:and|or|und|oder|et|ou|y|e|o) (?:more|less|up|above|over|under|mehr|weniger|plus|moins|más|menos|più)(?!\p{L})|[^\p{L}\d]{0,3}[円元]?(?:から|以上|以下|未満|起|[〜~～]))/iu

/** Whether the number at a position is not the value itself: "from 9 €", "5+ years", "4½", "1.2k". */
export function isBound(text: string, start: number, end: number): boolean {
  return before.test(text.slice(Math.max(0, start - 30), start)) || after.test(text.slice(end, end + 40))
}
