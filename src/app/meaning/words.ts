import { cutText, faultText, type ModelAnswer, type ModelAsk, type ModelFault } from '../../domain/model.ts'
import type { AnalysisOutput } from '../../formats/analysis/index.ts'
import { isObject } from '../../lib/is-object.ts'
import { tokensOf } from '../../lib/tokens.ts'
import { askJson, type Asking, askText, listIn, mapped, numberOf, partsFor } from './asking.ts'
import type { Made } from './extract.ts'
import { fenced, rules } from './fence.ts'

const summarise = `You summarise web pages. ${rules}
Write three to six plain sentences in the language of the page that say what it is about and its main points. No preface, no list, no markdown.`
const joinParts = `You are given summaries of the parts of one web page, in order. ${rules}
Write one summary of three to six plain sentences of them, in their language. No preface, no list, no markdown.`
const answerTask = `You answer a question about a web page. ${rules}
Answer briefly, in the language of the question, with what the page says, and repeat numbers and names as they stand there. If the page does not answer the question, answer with the one word NONE.`
const joinAnswers = `You are given answers to one question from the parts of one web page. ${rules}
Write one brief answer from them, in the language of the question.`
const choose = `You choose passages of a web page that answer a query. ${rules}
The passages are numbered. Answer with {"passages": […]}: the numbers of at most five passages that say most about the query, best first; an empty list when none does.`

const chosenSchema = { type: 'object', properties: { passages: { type: 'array', items: { type: 'integer' } } }, required: ['passages'] }
const mostChosen = 5
const none = /^\W*(?:none|not on the page)\W*$/i

const sound = (said: string, allowed: string, { material: { text, title }, analyse, call }: Asking): Promise<AnalysisOutput<'withoutInvented'>> => analyse('withoutInvented', { said, text, title, allowed }, call)

/** What replaces a model that gave nothing. */
function instead(asking: Asking, format: string, fault: ModelFault): Made {
  const fallback = asking.material.fallback[format] ?? {}
  const name = format === 'query' ? 'answer' : format === 'question' ? 'answer' : format
  return { part: { ...fallback, warning: [`${name}: ${faultText[fault]}.`, fallback.warning].filter((one) => one !== undefined).join(' ') }, fault }
}

/** The complete part of a truncated text: up to its last sentence or line. */
function finished(text: string): string {
  const end = /^[^]*(?:[.!?]["”’)]*(?=\s|$)|[。！？]["”’)]*|\n)/.exec(text)?.[0] ?? ''
  return end.trim()
}

/** How models begin when they refuse: in English, whatever the language of the page, or in that. */
const refusals = [
  /^(?:(?:i['’]m|i am|we['’]re) (?:very |really |so )?sorry|sorry|i apologi[sz]e|unfortunately|as an ai)\b[^.]{0,60}?\b(?:can(?:no|['’])t|unable|not able|won['’]t|will not)\b|^i (?:can(?:no|['’])t|won['’]t|am (?:unable|not able) to|['’]m (?:unable|not able) to) (?:help|assist|comply|fulfil|provide|summari[sz]e|answer|process|complete|do)\b/i,
  /^(?:(?:es )?tut mir (?:sehr )?leid|entschuldigung|leider)\b[^.]{0,60}?\b(?:kann|darf|werde) ich\b[^.]{0,60}?\b(?:nicht|keine?n?)\b/i,
  /^(?:je suis (?:vraiment )?)?désolée?[^.]{0,60}?\bje ne (?:peux|puis|suis)\b/i,
  /^lo siento\b[^.]{0,60}?\bno (?:puedo\b|podré)/i,
  /^mi dispiace\b[^.]{0,60}?\bnon (?:posso|sono in grado)\b/i,
  /^(?:desculpe|lamento|sinto muito)\b[^.]{0,60}?\bnão (?:posso|consigo)\b/i,
  /^(?:het spijt me|sorry)\b[^.]{0,60}?\bkan ik\b[^.]{0,60}?\bniet\b/i,
]
const declines = (text: string): boolean => refusals.some((one) => one.test(text))

/** Names under which models wrap a text in an object that nobody asked for. */
const wrappers = /^(?:answer|summary|text|response|result|output)$/i

/** A text without the JSON that it may come in. */
function unwrapped(said: string): string {
  if (!/^\{[^]*\}$/.test(said)) return said
  try {
    const value: unknown = JSON.parse(said)
    const [first, ...others] = isObject(value) ? Object.entries(value) : []
    if (first === undefined || others.length > 0 || !wrappers.test(first[0])) return said
    return typeof first[1] === 'string' ? first[1].trim() : first[1] === null ? 'NONE' : said
  } catch {
    return said
  }
}

/** A model's text. A fault if it refused, or was cut off before the end of its first sentence. */
async function askWhole(ask: ModelAsk, asking: Asking): Promise<ModelAnswer<string>> {
  const given = await askText(ask, asking)
  const answer = given.ok ? { ...given, value: unwrapped(given.value) } : given
  if (answer.ok && declines(answer.value)) return { ok: false, fault: 'refused', usage: answer.usage }
  if (!answer.ok || !answer.cut) return answer
  const value = finished(answer.value)
  return value === '' ? { ok: false, fault: 'unusable', usage: answer.usage } : { ...answer, value }
}

interface Told {
  readonly text: string | null
  readonly fault: ModelFault | null
  readonly cut: boolean
}

interface Task {
  readonly format: 'summary' | 'question' | 'query'
  readonly purpose: string
  readonly each: string
  readonly join: string
  /** The question, outside of the fence. */
  readonly question: string
}

/** Asks about each part of the page, then once more to merge the answers. */
async function told({ purpose, each, join, question }: Task, asking: Asking): Promise<Told> {
  const { title } = asking.material
  const parts = await partsFor(tokensOf(each) + tokensOf(question), asking)
  if (parts === null) return { text: null, fault: 'too-long', cut: false }
  const answers = await mapped(parts.texts, (part) => askWhole({ purpose, system: each, prompt: `${question}\nTitle of the page: ${fenced(title, 'TITLE')}\n${fenced(part)}`, long: parts.long }, asking))
  const fault = answers.find((answer) => !answer.ok)?.fault ?? null
  const cut = answers.some((answer) => answer.ok && answer.cut)
  const said = answers.flatMap((answer) => (answer.ok && !none.test(answer.value) ? [answer.value] : []))
  if (said.length < 2) return { text: said[0] ?? null, fault, cut }
  const whole = await askWhole({ purpose: `${purpose}-join`, system: join, prompt: `${question}\n${fenced(said.join('\n\n'))}`, long: parts.long }, asking)
  return whole.ok ? { text: whole.value, fault, cut: cut || whole.cut } : { text: null, fault: whole.fault, cut }
}

/** Warnings about a generated text. */
function warningOf(name: string, { invented, borrowed }: AnalysisOutput<'withoutInvented'>, { fault, cut }: Told): { readonly warning?: string } {
  const sentences = [
    ...inventedWarning(name, invented),
    ...(borrowed.length === 0 ? [] : [`${name}: these numbers or addresses are of the question and not on the page: ${borrowed.slice(0, 20).join(', ')}.`]),
    ...(cut ? [`${name}: the language model reached the limit of its answer; what follows its last whole sentence is missing.`] : []),
    ...(fault === null ? [] : [`${name}: from a part of the page only, as ${faultText[fault]}.`]),
  ]
  return sentences.length === 0 ? {} : { warning: sentences.join(' ') }
}

/** What replaces a text of which nothing is left, because every sentence had figures or addresses that are not on the page. */
function insteadOf(invented: readonly string[], name: string, made: Made): Made {
  return { ...made, part: { ...made.part, warning: [...inventedWarning(name, invented), made.part.warning ?? ''].join(' ').trim() } }
}

const inventedWarning = (name: string, invented: readonly string[]): readonly string[] =>
  invented.length === 0 ? [] : [`${name}: sentences with numbers or addresses that are not on the page were left out (${invented.slice(0, 20).join(', ')}).`]

/** The summary format by a model. */
export async function summarised(asking: Asking): Promise<Made> {
  const made = await told({ format: 'summary', purpose: 'summary', each: summarise, join: joinParts, question: 'Summarise the page.' }, asking)
  const { text, fault } = made
  if (text === null) return instead(asking, 'summary', fault ?? 'unusable')
  const kept = await sound(text, '', asking)
  if (kept.text === '') return insteadOf(kept.invented, 'summary', instead(asking, 'summary', 'unusable'))
  return { part: { summary: kept.text, ...warningOf('summary', kept, made) }, fault }
}

/** The question format (and the older one of it) by a model. */
export async function answeredByModel(question: string, format: 'question' | 'query', asking: Asking): Promise<Made> {
  const made = await told({ format, purpose: 'question', each: answerTask, join: joinAnswers, question: `The question: ${question}` }, asking)
  const { text, fault } = made
  if (text === null && fault === null) return { part: { answer: '', warning: 'answer: the page does not answer the question.' }, fault }
  if (text === null) return instead(asking, format, fault ?? 'unusable')
  const kept = await sound(text, question, asking)
  if (kept.text === '') return insteadOf(kept.invented, 'answer', instead(asking, format, 'unusable'))
  return { part: { answer: kept.text, ...warningOf('answer', kept, made) }, fault }
}

/** The highlights format by a model, which only selects passages: they are verbatim by design. */
export async function highlighted(query: string, key: 'highlights' | 'answer', asking: Asking): Promise<Made> {
  const format = key === 'highlights' ? 'highlights' : 'query'
  const room = asking.model.limits.input - tokensOf(choose) - tokensOf(query) - 300
  const shown = await asking.analyse('candidates', { text: asking.material.text, query, room }, asking.call)
  if (shown.length === 0) return { part: asking.material.fallback[format] ?? {}, fault: null }
  const numbered = shown.map((passage, at) => `[${at + 1}] ${passage.shown}`).join('\n\n')
  const answer = await askJson({ purpose: 'highlights', system: choose, prompt: `The query: ${query}\n${fenced(numbered)}`, schema: chosenSchema }, asking)
  if (!answer.ok) return instead(asking, format, answer.fault)
  const { value, cut } = answer
  const list = listIn(value, 'passages')
  if (list === null) return instead(asking, format, 'unusable')
  const numbers = [...new Set(list.map(numberOf))]
  const chosen = numbers.flatMap((number) => shown[number - 1] ?? []).slice(0, mostChosen)
  const unknown = numbers.filter((number) => shown[number - 1] === undefined)
  if (chosen.length === 0 && (unknown.length > 0 || cut)) return instead(asking, format, 'unusable')
  const sentences = [
    ...(chosen.length === 0 ? [`${key}: no passage of the page fits the query.`] : []),
    ...(unknown.length > 0 ? [`${key}: the language model named ${unknown.length} passages that there are not; they were left out.`] : []),
    ...(cut ? [`${key}: ${cutText}.`] : []),
  ]
  return { part: { [key]: chosen.sort((a, b) => a.start - b.start).map(({ verbatim }) => verbatim).join('\n\n'), ...(sentences.length === 0 ? {} : { warning: sentences.join(' ') }) }, fault: null }
}
