import { type Evidence, evidenceOf } from '../../content/evidence/index.ts'
import { numbersIn } from '../../content/evidence/numbers.ts'
import { readable } from '../../content/passages/blocks.ts'
import { passagesOf, ranked } from '../../content/passages/rank.ts'
import { tokensOf } from '../../lib/tokens.ts'

/** A model's text about a page. */
export interface Said {
  readonly said: string
  readonly text: string
  readonly title: string
  /** The caller's words: numbers in them are not invented. */
  readonly allowed: string
}

/**
 * The sentences of a text with the white space after each. A Latin full stop ends a sentence before white space, a
 * full-width one always.
 */
const sentencesOf = (text: string): readonly string[] => text.match(/[.!?。！？]*[^.!?。！？]+(?:[.!?](?![\s"”’)]|$)[^.!?。！？]*)*[.!?。！？]*["”’」』）)]*\s*/gu) ?? [text]

/** Whether the page has a number. Words may express its sign ("fell by 5 %"), but a minus may not be added. */
const told = (value: number, evidence: Evidence): boolean => evidence.number(value) !== undefined || (value > 0 && evidence.number(-value) !== undefined)

/**
 * A model's text without the sentences that contain numbers which are not on the page (contract §15.6). `borrowed` are
 * numbers in the text that only the caller mentioned.
 */
export function withoutInvented({ said, text, title, allowed }: Said): { readonly text: string; readonly invented: readonly string[]; readonly borrowed: readonly string[] } {
  const evidence = evidenceOf(text, { texts: [title], urls: [] })
  const ours = new Set(numbersIn(allowed).map(({ value }) => value))
  const invented: string[] = []
  const borrowed: string[] = []
  const kept = sentencesOf(said).filter((sentence) => {
    const byPlace = new Map<number, { readonly said: string; readonly values: number[] }>()
    for (const { value, start, end } of numbersIn(sentence)) {
      const one = byPlace.get(start) ?? { said: sentence.slice(start, end), values: [] }
      one.values.push(value)
      byPlace.set(start, one)
    }
    // Number words are no figures: "one" and "two" are in any sentence.
    const unseen = [...byPlace.values()].filter(({ said: figure, values }) => /\d/.test(figure) && !values.some((value) => told(value, evidence)))
    const wrong = unseen.filter(({ values }) => !values.some((value) => ours.has(value)))
    const into = wrong.length === 0 ? borrowed : invented
    into.push(...(wrong.length === 0 ? unseen : wrong).map(({ said: figure }) => figure))
    return wrong.length === 0
  })
  return { text: kept.join('').trim(), invented: [...new Set(invented)], borrowed: [...new Set(borrowed)] }
}

/** Markup of an accessibility tree, which is not text of the page. */
const treeMarks = /\[(?:ref|level|cursor|active|checked|disabled|expanded|pressed|selected)(?:=[^\]]{0,40})?\]/g
const quoted = /["“„«]([^"“”„«»\n]{3,300})["”«»]/gu
/** Item numbers of a list, which are the writer's own. */
const listed = /^\s*(?:\d{1,3}[.)]|[-*])\s+/gm

/** The numbers and quotes in an answer that are on none of the pages. */
export function unseen({ said, text, title, allowed }: Said): readonly string[] {
  const evidence = evidenceOf(text.replace(treeMarks, ''), { texts: [title, allowed], urls: [] })
  const answer = said.replace(listed, '')
  const figures = new Map<string, number[]>()
  for (const { value, start, end } of numbersIn(answer)) {
    const figure = answer.slice(start, end)
    if (/\d/.test(figure)) figures.set(figure, [...(figures.get(figure) ?? []), value])
  }
  const numbers = [...figures].filter(([, values]) => !values.some((value) => told(value, evidence))).map(([figure]) => figure)
  const quotes = [...answer.matchAll(quoted)].map(([, words = '']) => words.trim()).filter((words) => evidence.text(words) === undefined)
  return [...new Set([...quotes, ...numbers.filter((figure) => !quotes.some((words) => words.includes(figure)))])]
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
