import { type Evidence, evidenceOf } from '../../content/evidence/index.ts'
import { numbersIn } from '../../content/evidence/numbers.ts'
import { readable } from '../../content/passages/blocks.ts'
import { passagesOf, ranked } from '../../content/passages/rank.ts'
import { tokensOf } from '../../lib/tokens.ts'

/** What a model said of a page. */
export interface Said {
  readonly said: string
  readonly text: string
  readonly title: string
  /** Words of the caller, whose numbers are no invention. */
  readonly allowed: string
}

/** The sentences of a text, with what follows each: a full stop of Latin letters ends one before a space, a full-width one always. */
const sentencesOf = (text: string): readonly string[] => text.match(/[.!?。！？]*[^.!?。！？]+(?:[.!?](?![\s"”’)]|$)[^.!?。！？]*)*[.!?。！？]*["”’」』）)]*\s*/gu) ?? [text]

/** Words may tell the sign of a figure ("fell by 5 %"), but none may be put to it. */
const told = (value: number, evidence: Evidence): boolean => evidence.number(value) !== undefined || (value > 0 && evidence.number(-value) !== undefined)

/** A model's text without the sentences whose numbers the page does not have (contract §15.6). `borrowed`: numbers in it that only the caller has named. */
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
    // A number word is no figure: "one" and "two" stand in any sentence.
    const unseen = [...byPlace.values()].filter(({ said: figure, values }) => /\d/.test(figure) && !values.some((value) => told(value, evidence)))
    const wrong = unseen.filter(({ values }) => !values.some((value) => ours.has(value)))
    const into = wrong.length === 0 ? borrowed : invented
    into.push(...(wrong.length === 0 ? unseen : wrong).map(({ said: figure }) => figure))
    return wrong.length === 0
  })
  return { text: kept.join('').trim(), invented: [...new Set(invented)], borrowed: [...new Set(borrowed)] }
}

/** Marks of an accessibility tree that are not of the page. */
const treeMarks = /\[(?:ref|level|cursor|active|checked|disabled|expanded|pressed|selected)(?:=[^\]]{0,40})?\]/g
const quoted = /["“„«]([^"“”„«»\n]{3,300})["”«»]/gu
/** Numbers before the points of a list are the writer's own. */
const listed = /^\s*(?:\d{1,3}[.)]|[-*])\s+/gm

/** What an answer about pages names that stands on none of them: its numbers and quotes. */
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

/** What passages a model is to choose from. */
export interface Choice {
  readonly text: string
  readonly query: string
  /** Tokens that the passages may take. */
  readonly room: number
}

const mostCandidates = 60

/** Passages that a model is shown, verbatim and as a reader sees them: those that share most words with the query, then those from the start, as far as they fit. */
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
