import { addressesIn, bareAddress, type Evidence, evidenceOf, type FoundAddress, withoutAddresses } from '../../content/evidence/index.ts'
import { numbersIn } from '../../content/evidence/numbers.ts'
import { readable } from '../../content/passages/blocks.ts'
import { passagesOf, ranked } from '../../content/passages/rank.ts'
import { tokensOf } from '../../lib/tokens.ts'
import { urlOf } from '../../lib/url-of.ts'

/** A model's text about a page. */
export interface Said {
  readonly said: string
  readonly text: string
  readonly title: string
  /** The caller's words: numbers in them are not invented. */
  readonly allowed: string
}

/** A range of a text. */
interface Piece {
  readonly text: string
  readonly start: number
}

/**
 * The sentences of a text with the white space after each. A Latin full stop ends a sentence before white space, a
 * full-width one always.
 */
function sentencesOf(text: string): readonly Piece[] {
  const found = [...text.matchAll(/[.!?。！？]*[^.!?。！？]+(?:[.!?](?![\s"”’)]|$)[^.!?。！？]*)*[.!?。！？]*["”’」』）)]*\s*/gu)].map((match) => ({ text: match[0], start: match.index }))
  return found.length === 0 ? [{ text, start: 0 }] : found
}

/** Whether the page has a number. Words may express its sign ("fell by 5 %"), but a minus may not be added. */
const told = (value: number, evidence: Evidence): boolean => evidence.number(value) !== undefined || (value > 0 && evidence.number(-value) !== undefined)

/** The host of an address; the whole address might lead somewhere when a warning shows it. */
const hostOf = (address: string): string => (/(?:[/\\@:]|^)(?:www\.)?([\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+)/u.exec(address)?.[1] ?? 'an address').slice(0, 100)

/** A sentence with its figures, each with the numbers that it can mean. Number words are no figures: "one" and "two" are in any sentence. */
function figuresOf(sentence: string): readonly { readonly said: string; readonly values: readonly number[] }[] {
  const byPlace = new Map<number, { readonly said: string; readonly values: number[] }>()
  for (const { value, start, end } of numbersIn(sentence)) {
    const one = byPlace.get(start) ?? { said: sentence.slice(start, end), values: [] }
    one.values.push(value)
    byPlace.set(start, one)
  }
  return [...byPlace.values()].filter(({ said }) => /\d/.test(said))
}

/**
 * A model's text without the sentences that contain numbers or addresses which are not on the page (contract §15.6): a page
 * may have told the model to name an address that carries what it was asked. `borrowed` are those that only the caller
 * mentioned.
 */
export function withoutInvented({ said, text, title, allowed }: Said): { readonly text: string; readonly invented: readonly string[]; readonly borrowed: readonly string[] } {
  const evidence = evidenceOf(text, { texts: [title], urls: [] })
  const [ourText, ours] = [evidenceOf(allowed), new Set(numbersIn(allowed).map(({ value }) => value))]
  const addresses = addressesIn(said)
  const unseenAddresses = addresses.filter((one) => evidence.address(one.said) === undefined)
  const wrongAddresses = unseenAddresses.filter((one) => ourText.address(one.said) === undefined)
  // Digits of addresses are no figures.
  const figures = withoutAddresses(said, addresses)
  const invented: string[] = []
  const borrowed: string[] = []
  const kept = sentencesOf(said).filter(({ text: sentence, start }) => {
    const end = start + sentence.length
    const isHere = (one: FoundAddress): boolean => one.start < end && one.end > start
    const unseen = figuresOf(figures.slice(start, end)).filter(({ values }) => !values.some((value) => told(value, evidence)))
    const wrong = unseen.filter(({ values }) => !values.some((value) => ours.has(value)))
    const wrongHere = wrongAddresses.filter(isHere)
    const isSound = wrong.length === 0 && wrongHere.length === 0
    if (isSound) borrowed.push(...unseen.map((one) => one.said), ...unseenAddresses.filter(isHere).map((one) => one.said))
    else invented.push(...wrong.map((one) => one.said), ...wrongHere.map((one) => hostOf(one.said)))
    return isSound
  })
  return { text: kept.map((one) => one.text).join('').trim(), invented: [...new Set(invented)], borrowed: [...new Set(borrowed)] }
}

/** Markup of an accessibility tree, which is not text of the page. */
const treeMarks = /\[(?:ref|level|cursor|active|checked|disabled|expanded|pressed|selected)(?:=[^\]]{0,40})?\]/g
const quoted = /["“„«]([^"“”„«»\n]{3,300})["”«»]/gu
/** Item numbers of a list, which are the writer's own. */
const listed = /^\s*(?:\d{1,3}[.)]|[-*])\s+/gm

/** Whether pages name an address, perhaps in parts: accessibility trees keep the targets of links as they are written. */
function isNamed(address: string, evidence: Evidence): boolean {
  if (evidence.address(address) !== undefined) return true
  const url = urlOf(bareAddress(address))
  return url !== null && url.pathname !== '/' && [url.host, `${url.pathname}${url.search}`].every((part) => evidence.text(part) !== undefined)
}

/** The numbers, quotes and hosts of addresses in an answer that are on none of the pages. */
export function unseen({ said, text, title, allowed }: Said): readonly string[] {
  const evidence = evidenceOf(text.replace(treeMarks, ''), { texts: [title, allowed], urls: [] })
  const addresses = addressesIn(said)
  const hosts = addresses.filter((one) => !isNamed(one.said, evidence)).map((one) => hostOf(one.said))
  const answer = withoutAddresses(said, addresses).replace(listed, '')
  const figures = new Map<string, number[]>()
  for (const { value, start, end } of numbersIn(answer)) {
    const figure = answer.slice(start, end)
    if (/\d/.test(figure)) figures.set(figure, [...(figures.get(figure) ?? []), value])
  }
  const numbers = [...figures].filter(([, values]) => !values.some((value) => told(value, evidence))).map(([figure]) => figure)
  const quotes = [...answer.matchAll(quoted)].map(([, words = '']) => words.trim()).filter((words) => evidence.text(words) === undefined)
  return [...new Set([...hosts, ...quotes, ...numbers.filter((figure) => !quotes.some((words) => words.includes(figure)))])]
}

/** From what passages a model is to choose. */
export interface Choice {
  readonly text: string
  readonly query: string
  /** Most tokens of all passages together. */
  readonly room: number
}

const mostCandidates = 60

/**
 * The passages that a model is shown, verbatim and as a reader sees them, up to the limit: those that share most words with
 * the query, then those from the start.
 */
export function candidates({ text, query, room }: Choice): readonly { readonly verbatim: string; readonly shown: string; readonly start: number }[] {
  const all = passagesOf(text)
  const first = ranked(all, query).slice(0, mostCandidates).map(({ passage }) => passage)
  const known = new Set(first)
  const chosen: { readonly verbatim: string; readonly shown: string; readonly start: number }[] = []
  let size = 0
  for (const passage of [...first, ...all.filter((one) => !known.has(one))]) {
    const tokens = tokensOf(passage.text) + 6
    if (size + tokens > room || chosen.length >= mostCandidates) break
    chosen.push({ verbatim: passage.text, shown: readable(passage.text), start: passage.start })
    size += tokens
  }
  return chosen
}
