import type { Run, Sized } from './page-lines.ts'

/** The signs that items of lists begin with, for a class of characters. */
export const bulletSigns = '•●▪◦‣∙▶►■➢✓✔»○'

/** A small bullet, or the number of an item in a ball: its size at most, relative to the text, the gap behind it, and how far it is raised at most, in font sizes. */
const [ballSize, leastGap, mostGap, mostRaised] = [0.85, 0.4, 2, 0.4]
/** Numbers whose places differ by less, in points, are below each other. */
const sameStart = 3
const smallMarker = new RegExp(`^(?:[${bulletSigns}>–]|\\d{1,2})$`, 'u')

/** The text that begins behind a small number, in its line. */
function behind<Item extends Sized>(number: Item, items: readonly Item[]): Item | undefined {
  return items.find((item) => {
    const gap = item.x - number.x - number.width
    const up = number.y - item.y
    return number.fontSize < item.fontSize * ballSize && gap > item.fontSize * leastGap && gap < item.fontSize * mostGap && up > -1 && up < item.fontSize * mostRaised
  })
}

/** Bullets in smaller letters than their items, and numbers of items that are drawn small in a ball, from 1 on below each other, in the size and on the baseline of their texts. */
export function withMarkers<Item extends Run>(items: readonly Item[]): ReadonlyMap<Item, Item> {
  const found = items.flatMap((number) => {
    const text = smallMarker.test(number.text.trim()) ? behind(number, items) : undefined
    return text === undefined ? [] : [{ number, text }]
  })
  const bullets = found.filter(({ number }) => !/\d/.test(number.text))
  const lists: { number: Item; text: Item }[][] = []
  for (const one of found.filter((one) => !bullets.includes(one)).toSorted((a, b) => b.number.y - a.number.y)) {
    const list = lists.find((own) => Math.abs((own[0]?.number.x ?? 0) - one.number.x) < sameStart && own.length + 1 === Number(one.number.text))
    if (list !== undefined) list.push(one)
    else if (one.number.text.trim() === '1') lists.push([one])
  }
  const numbers = lists.filter((list) => list.length > 1).flat().map(({ number, text }) => ({ text, number, sign: `${number.text.trim()}.`, width: number.width + text.fontSize / 3 }))
  return new Map([...numbers, ...bullets.map(({ number, text }) => ({ text, number, sign: '•', width: number.width }))].map(({ number, text, sign, width }) => [number, { ...number, text: sign, y: text.y, fontSize: text.fontSize, height: text.height, width }]))
}
