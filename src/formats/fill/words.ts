/** Words without meaning in a property's name. */
const idle: ReadonlySet<string> = new Set(['the', 'a', 'an', 'of', 'for', 'this', 'its', 'on', 'to', 'and', 'or', 'is', 'by'])
/** Words in a property's name for the thing that it belongs to. */
const owners: ReadonlySet<string> = new Set(['product', 'item', 'article', 'post', 'page', 'job', 'event', 'recipe', 'book', 'main', 'full', 'text', 'value', 'blog', 'news', 'listing', 'topic', 'thread', 'movie', 'story', 'document'])

const singular = (word: string): string => (word.length > 3 && /[^su]s$/.test(word) ? (word.endsWith('ies') ? `${word.slice(0, -3)}y` : word.slice(0, -1)) : word)

/** An identifier as words: `seatHeight` and `seat_height` become "seat height". */
export function spaced(name: string): string {
  return name
    .replace(/([\p{Ll}\p{N}])(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu}+)(\p{Lu}\p{Ll})/gu, '$1 $2')
    .replace(/[_-]+/g, ' ')
}

/**
 * The words of a name or label, in lower case and singular: `productName`, `product_name` and `Product name:` have the
 * same.
 */
export function wordsOf(name: string): readonly string[] {
  return spaced(name)
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '' && !idle.has(word))
    .map(singular)
}

/** A name for comparisons. */
export function keyOf(name: string): string {
  return wordsOf(name).join(' ')
}

/** The same without words for the owner of the property, unless nothing else remains. */
export function bareKey(name: string): string {
  const words = wordsOf(name)
  const rest = words.filter((word) => !owners.has(word))
  return (rest.length === 0 ? words : rest).join(' ')
}
