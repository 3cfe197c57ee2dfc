import { EventEmitter } from 'node:events'
import type { CDPSession } from 'playwright-core'
import type { Command } from './asking.ts'

/** What we use of a session of the protocol. */
export type Session = Pick<CDPSession, 'send' | 'on' | 'off'>

/**
 * The driver's own session of a page, for us too: the driver has enabled network and page events in it, and with a session of ours the
 * browser would report all of them twice. Ends with the page.
 */
export interface PageSession extends Session {
  readonly targetId: string
  readonly contextId: string
  /** Sends as the session does, but rejects for an answer of more bytes, which is not read. */
  within(most: number): Pick<Session, 'send'>
}

/** A session with what hears its events. */
export interface Shared {
  readonly session: PageSession
  /** Passes an event to our listeners. Returns whether it is of no concern to the driver. */
  hear(method: string, params: unknown): boolean
}

/** Events of what only we enable. The driver would answer requests that we have paused. */
const ours: ReadonlySet<string> = new Set(['Fetch.requestPaused', 'Fetch.authRequired', 'Runtime.bindingCalled'])

/** Shares a session of the driver, whose commands are sent by `send`. */
export function shared(target: { readonly targetId: string; readonly contextId: string }, send: (command: Command) => Promise<unknown>): Shared {
  const events = new EventEmitter()
  events.setMaxListeners(0)
  const sending = (most?: number) => ({ send: (method: string, params: object = {}) => send({ method, params, ...(most === undefined ? {} : { most }) }) })
  const own = {
    ...target,
    ...sending(),
    within: sending,
    on: (event: string, listener: () => void) => void events.on(event, listener),
    off: (event: string, listener: () => void) => void events.off(event, listener),
  }
  return {
    session: own as unknown as PageSession, // the protocol's types, which go by the names of commands and events
    hear(method, params) {
      events.emit(method, params)
      return ours.has(method)
    },
  }
}
