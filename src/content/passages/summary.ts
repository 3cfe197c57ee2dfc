import { blocksOf, readable } from './blocks.ts'
import { termsOf } from './rank.ts'

const maxSentences = 400
const wantedCharacters = 700
const mostSentences = 5
/** Shortest sentence, in characters, and shortest in a script that says as much with fewer. */
const shortest = 30
const shortestDense = 12
/** Letters of scripts without capitals start sentences too; Chinese and Japanese have no spaces between sentences. */
const ends = /(?<=[.!?؟۔।][")\]”’]?)\s+(?=[\p{Lu}\p{Lo}\p{N}"“(])|(?<=[。！？])/u

interface Sentence {
  readonly text: string
  readonly at: number
  readonly terms: ReadonlySet<string>
  readonly opens: boolean
}

/** The sentences of a page's running text, as a reader sees them. */
function sentencesOf(markdown: string): readonly Sentence[] {
  const found: Sentence[] = []
  for (const block of blocksOf(markdown)) {
    if (block.kind !== 'text' || found.length >= maxSentences) continue
    for (const [index, text] of readable(block.text).split(ends).entries()) {
      if (text.length >= (/[。！？]$/.test(text) ? shortestDense : shortest) && text.length <= 500 && /[.!?؟۔।。！？][")\]”’]?$/.test(text)) found.push({ text, at: found.length, terms: new Set(termsOf(text)), opens: index === 0 })
    }
  }
  return found
}

/**
 * The sentences that share most words with the rest of a page, verbatim and in page order; those of the opening paragraphs
 * count more. For a page without running text, the start of what it has.
 */
export function extractiveSummary(markdown: string): string {
  const sentences = sentencesOf(markdown)
  if (sentences.length === 0) return blocksOf(markdown).filter(({ kind }) => kind !== 'rule' && kind !== 'image' && kind !== 'code').slice(0, 6).map(({ text }) => readable(text)).join(' ').slice(0, wantedCharacters)
  const spread = new Map<string, number>()
  for (const { terms } of sentences) for (const term of terms) spread.set(term, (spread.get(term) ?? 0) + 1)
  const common = (term: string): number => Math.log(spread.get(term) ?? 1)
  const scored = sentences.map((sentence) => {
    const sum = [...sentence.terms].reduce((total, term) => total + common(term), 0)
    const place = 1 + 1 / (1 + sentence.at * 0.5) + (sentence.opens ? 0.2 : 0)
    return { sentence, score: (sum / Math.sqrt(sentence.terms.size + 4)) * place }
  })
  const chosen: Sentence[] = []
  let length = 0
  for (const { sentence } of scored.sort((a, z) => z.score - a.score || a.sentence.at - z.sentence.at)) {
    if (chosen.length >= mostSentences || length + sentence.text.length > wantedCharacters) break
    if (chosen.some((other) => alike(other.terms, sentence.terms))) continue
    chosen.push(sentence)
    length += sentence.text.length
  }
  if (chosen.length === 0 && sentences[0] !== undefined) chosen.push(sentences[0])
  return chosen.sort((a, z) => a.at - z.at).map(({ text }) => text).join(' ')
}

function alike(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  const shared = [...a].filter((term) => b.has(term)).length
  return shared > 0.6 * Math.min(a.size, b.size)
}
