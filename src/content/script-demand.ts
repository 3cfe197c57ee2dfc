import type { PageVerdict } from '../domain/reading.ts'
import { absolute } from './address.ts'
import type { Signs } from './signs.ts'

const demand = /(?:enable|activate|turn on|requires?|needs?|without|allow|aktivier|activez|activar|habilit|включите)[^.]{0,60}java\s?script|java\s?script[^.]{0,60}(?:enable|required|disabled|aktivier|erforderlich|désactivé|deshabilitado|turned off|отключен)/i
const waiting = /^\W*(?:loading|please wait|wird geladen|chargement|cargando|caricamento|загрузка|读取中|加载中|読み込み中)\b/i

/** What the rules look at. */
interface Case {
  readonly signs: Signs
  readonly verdict: PageVerdict
  /** Letters of the content that was found without scripts. */
  readonly content: number
}

/** The first that holds names the evidence. Each needs a page that says little: text that is there needs no scripts. */
const rules: readonly (readonly [evidence: string, holds: (of: Case) => boolean])[] = [
  ['the page is a challenge', ({ verdict }) => verdict === 'challenge'],
  ['the page is an empty shell', ({ verdict }) => verdict === 'empty'],
  ['the page demands scripts', ({ signs, content }) => content < 600 && demand.test(signs.noscript)],
  ['the container of its framework is empty', ({ signs, content }) => content < 600 && signs.emptyRoot],
  ['the page says that it is loading', ({ signs, content }) => content < 300 && waiting.test(signs.start)],
  ['the page is nearly all script', ({ signs, content }) => content < 200 && signs.pictures === 0 && signs.scriptLength > 100 * (content + 20)],
]

/** Where a page that says little sends browsers at once: what is there is the page asked for. Null for one that stays, or shows itself anew. */
export function leadsOn({ refresh }: Signs, { url, base, content }: { readonly url: string; readonly base: string; readonly content: () => number }): string | null {
  const target = refresh === '' ? undefined : absolute(refresh, base)
  if (target === undefined || target.replace(/#.*/s, '') === url.replace(/#.*/s, '')) return null
  return content() < 600 ? target : null
}

/** Why a page that was fetched without running its scripts is not all there; null when it is. */
export function scriptDemand(signs: Signs, verdict: PageVerdict, content: number): string | null {
  const about: Case = { signs, verdict, content }
  // Without scripts there is nothing that a browser would add, but for challenges, which may be meta refreshes.
  if (signs.scripts === 0 && verdict !== 'challenge') return null
  return rules.find(([, holds]) => holds(about))?.[0] ?? null
}
