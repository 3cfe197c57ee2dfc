import type { PageVerdict } from '../../domain/pages/reading.ts'
import { beginsWithWaiting, saysLeaving } from '../../lib/waiting.ts'
import { withoutCredentials } from '../../lib/url-of.ts'
import { absolute } from '../html/address.ts'
import { isBare } from './bare.ts'
import type { Signs } from './signs.ts'
import type { Document } from '../html/tree.ts'
import { asksForScripts } from './wordings.ts'


/** What the rules look at. */
interface Case {
  readonly signs: Signs
  readonly verdict: PageVerdict
  /** The length of the content that was found without scripts, and its start. */
  readonly content: number
  readonly start: string
  /** Whether the page has only the parts around the content. */
  readonly bare: () => boolean
}

/** A page that says more for visitors without scripts has its content there: forums do so for crawlers. */
const enoughWithout = 600

/**
 * The first matching rule names the evidence. Each requires a page with little text, or a part that only scripts can show:
 * text that is there needs none.
 */
const rules: readonly (readonly [evidence: string, holds: (of: Case) => boolean])[] = [
  ['the page is a challenge', ({ verdict }) => verdict === 'challenge'],
  ['the page has nothing but frames', ({ signs, verdict }) => verdict === 'empty' && signs.scripts === 0],
  ['the page is an empty shell', ({ verdict }) => verdict === 'empty'],
  ['the page demands scripts', ({ signs, content }) => content < 600 && asksForScripts(signs.noscript)],
  ['the page says that it needs scripts', ({ content, start }) => content < 300 && asksForScripts(start)],
  ['the container of its framework is empty', ({ signs, content }) => content < 600 && (signs.emptyRoot || signs.leftToBrowser)],
  ['the page says that it is loading', ({ signs, content, start }) => content < 300 && (beginsWithWaiting(signs.start.slice(0, 200)) || beginsWithWaiting(start))],
  ['the page says that another follows', ({ signs, content }) => content < 300 && saysLeaving(signs.start.slice(0, 300))],
  ['the page is nearly all script', ({ signs, content }) => content < 200 && signs.pictures === 0 && signs.scriptLength > 100 * (content + 20)],
  ['the page has nothing but its navigation', ({ signs, content, bare }) => Math.min(signs.noscript.length, content) < enoughWithout && bare()],
  ['the page brings data for its scripts to show', ({ signs }) => signs.lateData],
  ['the page says little beside its frames', ({ signs, content }) => content < 300 && signs.textFrames > 0],
]

/** The address, as written, to which a page redirects before anybody reads it, or soon if it says so; '' when it does not. */
export function refreshOf({ refresh, slowRefresh, start }: Signs): string {
  return refresh !== '' || !saysLeaving(start.slice(0, 300)) ? refresh : slowRefresh
}

/**
 * The address to which a page with little text redirects browsers at once, without credentials; null when it does not, or
 * reloads itself.
 */
export function leadsOn(refresh: string, { url, base, content }: { readonly url: string; readonly base: string; readonly content: () => number }): string | null {
  const target = refresh === '' ? undefined : absolute(refresh, base)
  if (target === undefined || target.replace(/#.*/s, '') === url.replace(/#.*/s, '')) return null
  return content() < 600 ? withoutCredentials(target) : null
}

/**
 * Why a page fetched without scripts is incomplete, judged by its signs and the content found; null when it is complete.
 */
export function scriptDemand(document: Document, signs: Signs, verdict: PageVerdict, found: string): string | null {
  const content = found.trim()
  const about: Case = { signs, verdict, content: content.length, start: content.slice(0, 100), bare: () => isBare(document, signs.letters) }
  // Without scripts a browser adds nothing, except what frames show, and on challenge pages, which may be `meta` refreshes.
  if (signs.scripts === 0 && verdict !== 'challenge' && !(verdict === 'empty' && signs.frames > 0) && signs.textFrames === 0) return null
  return rules.find(([, holds]) => holds(about))?.[0] ?? null
}
