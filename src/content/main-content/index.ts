import type { Removal } from '../../domain/pages/reading.ts'
import type { Steps } from '../../lib/in-steps.ts'
import type { Page } from '../clean/step.ts'
import { type ChildNode, type Document, type Element, isElement, named } from '../html/tree.ts'
import { trimBareHeadings } from './trim/bare-headings.ts'
import { markBylineControls } from './trim/byline-controls.ts'
import { markCalls } from './trim/calls.ts'
import { choicesOf, keepChoices } from './choices/choices.ts'
import { fewLetters, fromState, fromStructuredData, lettersOf, relax } from './fallback.ts'
import { isTitledMain, markFurniture } from './furniture/furniture.ts'
import { byLabels } from './learned/index.ts'
import { trimSiblings } from './trim/sibling-links.ts'
import { markSkipLinks } from './trim/skip-links.ts'
import { markSources } from './trim/sources.ts'
import { settingOf } from './setting.ts'
import { type ByRules, byRules } from './survey.ts'
import { type TitleLine, titleLine, withTitle } from './titles/title-line.ts'
import { warnUnsure } from './unsure.ts'

/** Where the content of a page is. What is inside the roots but not content is marked in the page's `removed`. */
export interface MainContent {
  readonly roots: readonly (Document | Element)[]
  /** 0 to 1. */
  readonly confidence: number
  readonly removals: readonly Removal[]
  /** True when the page shows no text of its own: this is what its scripts would probably show. */
  readonly guessed?: true
  /** Fields of the content that are written as lines. */
  readonly choices?: ReadonlyMap<Element, string>
  /** The title, where it is no heading. */
  readonly title?: Element
}

/** A page with fewer letters shows nothing before its scripts run. */
const nearlyNothing = 100

/**
 * Finds the content of a page: by the trees, or by rules where the trees cannot tell; from structured data where the page
 * shows next to nothing. Deterministic; marks nodes, but does not change the tree. Inside elements that the caller
 * selected, only furniture is removed. Never empty when the page has text.
 */
export function* mainContent(page: Page): Steps<MainContent> {
  const choices = page.wanted ? undefined : choicesOf(page)
  const title = page.wanted ? undefined : titleLine(page)
  yield
  const main = titled(page, yield* contentOf(page), title)
  yield
  const found = choices === undefined ? main : { ...main, roots: keepChoices(page, main.roots, choices), choices: choices.lines }
  if (page.wanted) return found
  // References tell of things as terms (Sphinx) or unfold what they say of them (rustdoc).
  const tells = named(page.document, 'dt').length > 0 || named(page.document, 'summary').length > 0
  // After the trees, because they were trained on pages that have these.
  const removals = [{ step: 'skip links', count: markSkipLinks(page) }, { step: 'links to code', count: tells ? markSources(page) : 0 }, { step: 'calls', count: markCalls(page, found.roots) }, { step: 'controls of posts', count: markBylineControls(page, found.roots) }].filter(({ count }) => count > 0)
  return removals.length === 0 ? found : { ...found, removals: [...found.removals, ...removals] }
}

/** The content with its title, unless it was not found in the text of the page. */
function titled(page: Page, main: MainContent, title: TitleLine | undefined): MainContent {
  const roots = title === undefined || main.roots.some((root) => !isElement(root) && root !== page.document) ? undefined : withTitle(page, main.roots, title)
  return title === undefined || roots === undefined ? main : { ...main, roots, title: title.element }
}

function* contentOf(page: Page): Steps<MainContent> {
  if (page.wanted) return { roots: page.wanted, confidence: 1, removals: [{ step: 'page furniture', count: markFurniture(settingOf(page)) }] }
  const before = new Set(page.removed)
  const rules = byRules(page)
  yield
  const few = rules.letters < fewLetters
  const said = few ? ofStructuredData(page, rules.setting.all) : undefined
  if (said) return said
  const labelled = rules.setting.short ? undefined : yield* byLabels(page, rules, before)
  if (labelled) return labelled
  const second = few && !rules.posts && !rules.whole ? relaxed(page, before, rules) : undefined
  if (second) return second
  if (rules.root >= 0) {
    trimSiblings(page, rules.rest, rules.root)
    trimBareHeadings(page, rules.rest, rules.root)
  }
  return { roots: rules.roots, confidence: rules.confidence, removals: [{ step: 'page furniture', count: rules.furniture.size }, { step: 'side matter', count: rules.side.size }] }
}

/**
 * The text of the structured data, or of the script state if the page shows nothing, when it is longer than the visible
 * text.
 */
function ofStructuredData(page: Page, all: number): MainContent | undefined {
  const data = fromStructuredData(page)
  if (data && lettersOf([data], new Set()) > all) return { roots: [data], confidence: 0.4, removals: [{ step: 'structured data', count: 1 }] }
  const state = all < nearlyNothing ? fromState(page) : undefined
  return state && lettersOf([state], new Set()) > all ? { roots: [state], confidence: 0.2, removals: [{ step: 'state data', count: 1 }], guessed: true } : undefined
}

/** The share of what is left that a `main` element must hold to be all that is looked at again. */
const shareOfMain = 0.25

/** Second thoughts for a page on which next to nothing was found: less filtering, then none; undefined when there is no more. */
function relaxed(page: Page, before: ReadonlySet<ChildNode>, { setting, letters: found }: ByRules): MainContent | undefined {
  const { all, main } = setting
  if (all <= found * 2) return undefined
  relax(page, before, false)
  let confidence = 0.3
  const left = lettersOf([page.document], page.removed)
  const inside = main && setting.outline.elements[main[0]]
  if (inside !== undefined && (lettersOf([inside], page.removed) > left * shareOfMain || isTitledMain(setting))) {
    warnUnsure(page, all)
    return { roots: [inside], confidence, removals: [{ step: 'relaxed', count: 1 }] }
  }
  if (left < Math.min(fewLetters, all * 0.1)) {
    relax(page, before, true)
    confidence = 0.1
  }
  warnUnsure(page, all)
  return { roots: [page.document], confidence, removals: [{ step: 'relaxed', count: 1 }] }
}
