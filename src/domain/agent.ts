import type { Action } from '../spec/actions.ts'
import type { Call } from './call.ts'

/** What an agent did in a session. */
export interface AgentRun {
  /** Its answer to whoever asked; empty where it has none. */
  readonly output: string
  /** What its answer names that was on none of the pages that it saw; undefined where all was. */
  readonly warning?: string
  /** The page at the end, as text. */
  readonly snapshot: string
  /** What it did, in the shapes of scrape actions, so that it can be done again. */
  readonly actions: readonly object[]
  /** Why it did not get there; null when it did. */
  readonly error: string | null
  /** Whether it ended because its time was up. */
  readonly timedOut: boolean
}

/** Does what a prompt says in a live page. */
export interface Agent<Page = unknown> {
  /**
   * Works in the page that the session is at, whichever that is then, until it is done, its budget is used up or the call's deadline has
   * come. Throws `AGENT_FAILURE` where the model failed it before it did anything; rejects with the reason of the call's signal.
   */
  run(prompt: string, page: () => Promise<Page>, call: Call): Promise<AgentRun>
}

/** A page as an agent sees it. */
export interface Sight {
  readonly url: string
  readonly title: string
  /** Its accessibility tree, a line each, with references to elements (`[ref=e5]`). */
  readonly text: string
}

/** What an agent can do in a page, and all that it can do. */
export interface AgentPage {
  look(): Promise<Sight>
  /** What is known of the element of the last look: a selector that finds it and nothing else, or why there is none. */
  find(ref: string): Promise<AgentTarget>
  /** Does one action as a scrape does it. Answers why it could not be done; null when it was. */
  act(action: Action): Promise<string | null>
}

/** An element that an agent named. `filled`: text would be added to what is in it. A far list is in a frame that scripts of the page do not reach. */
export type AgentTarget = { readonly selector: string; readonly kind: 'list' | 'far list' | 'field' | 'other'; readonly filled: boolean } | { readonly why: string }

/** Gives an agent hands in a page. */
export type AgentHands<Page = unknown> = (page: Page, call: Call) => Promise<AgentPage>
