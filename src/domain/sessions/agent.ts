import type { Action } from '../../spec/actions.ts'
import type { Call } from '../call.ts'

/** The result of an agent's run in a session. */
export interface AgentRun {
  /** Its answer to the caller; empty when it has none. */
  readonly output: string
  /** Names in the answer that appeared on none of the pages it saw; undefined when all appeared. */
  readonly warning?: string
  /** The page at the end, as text. */
  readonly snapshot: string
  /** Its actions, in the format of scrape actions, so that they can be repeated. */
  readonly actions: readonly object[]
  /** Why it did not reach the goal; null when it did. */
  readonly error: string | null
  /** Whether it ended because its time ran out. */
  readonly timedOut: boolean
  /** Whether `output` or `snapshot` was cut off. */
  readonly truncated: boolean
}

/** Carries out a prompt in a live page. */
export interface Agent<Page = unknown> {
  /**
   * Works in the session's current page until it is done, its budget is used up, or the call's deadline passes. Throws
   * `AGENT_FAILURE` when the model failed before the agent did anything; rejects with the reason of the call's signal.
   */
  run(prompt: string, page: () => Promise<Page>, call: Call): Promise<AgentRun>
}

/** A page as the agent sees it. */
export interface Sight {
  readonly url: string
  readonly title: string
  /** Its accessibility tree, one node per line, with element references (`[ref=e5]`). */
  readonly text: string
  /** Whether the tree was cut off. */
  readonly cut: boolean
}

/** The only operations that an agent can perform in a page. */
export interface AgentPage {
  look(): Promise<Sight>
  /** The element with that reference in the last look: a selector that matches it alone, or why there is none. */
  find(ref: string): Promise<AgentTarget>
  /** Performs one action as a scrape does. Returns why it failed; null when it succeeded. */
  act(action: Action): Promise<string | null>
}

/**
 * An element that an agent refers to. `filled`: it has a value to which typed text would be added. A far list is inside a
 * shadow tree, or a frame that the page's scripts cannot reach.
 */
export type AgentTarget = { readonly selector: string; readonly kind: 'list' | 'far list' | 'field' | 'other'; readonly filled: boolean } | { readonly why: string }

/** Opens a page to an agent. */
export type AgentHands<Page = unknown> = (page: Page, call: Call) => Promise<AgentPage>
