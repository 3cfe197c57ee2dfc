import type { LiveFrame } from '../../domain/sessions/live-browser.ts'
import type { Branch } from '../protocol/branches.ts'
import { readResult, type Spoken } from '../protocol/spoken.ts'

/** The session's own connection to its browser, separate from those of the driver and of clients. */
export interface Eyes {
  /** Sends a command over the session of a page; rejects with the browser's error. */
  ask(method: string, params: object, targetId?: string): Promise<unknown>
  /** Receives the events of pages that were attached to. */
  onEvent(listener: (targetId: string, method: string, params: Readonly<Record<string, unknown>>) => void): void
  close(): void
}

/** Opens the connection. */
export async function eyes(open: (ends: { message(message: Spoken): void; closed(): void }) => Promise<Branch>): Promise<Eyes> {
  const waiting = new Map<number, (message: Spoken) => void>()
  const attached = new Map<string, Promise<string>>()
  const targets = new Map<string, string>()
  const listeners = new Set<Parameters<Eyes['onEvent']>[0]>()
  let number = 0
  let over = false

  const closed = (): void => {
    over = true
    for (const answer of waiting.values()) answer({ error: { message: 'Target closed' } })
    waiting.clear()
  }
  const branch = await open({
    closed,
    message(message) {
      if (message.id !== undefined) {
        waiting.get(message.id)?.(message)
        waiting.delete(message.id)
        return
      }
      const { method = '', params = {}, sessionId = '' } = message
      if (method === 'Target.detachedFromTarget') {
        attached.delete(targets.get(String(params['sessionId'])) ?? '')
        targets.delete(String(params['sessionId']))
      }
      for (const listener of listeners) listener(targets.get(sessionId) ?? '', method, params)
    },
  })

  async function send(method: string, params: object, sessionId?: string): Promise<unknown> {
    if (over) throw new Error('Target closed')
    const id = ++number
    const answer = new Promise<Spoken>((resolve) => waiting.set(id, resolve))
    branch.send({ id, method, params: { ...params }, ...(sessionId === undefined ? {} : { sessionId }) })
    const { result, error } = await answer
    if (error !== undefined) throw new Error(error.message)
    return readResult(result)
  }

  async function attach(targetId: string): Promise<string> {
    const { sessionId } = (await send('Target.attachToTarget', { targetId, flatten: true })) as { readonly sessionId: string } // the answer of the command
    targets.set(sessionId, targetId)
    return sessionId
  }

  return {
    async ask(method, params, targetId) {
      if (targetId === undefined) return send(method, params)
      const session = attached.get(targetId) ?? attach(targetId)
      attached.set(targetId, session)
      session.catch(() => attached.delete(targetId))
      return send(method, params, await session)
    },
    onEvent: (listener) => void listeners.add(listener),
    close() {
      branch.close()
      closed()
    },
  }
}

/** Streams pictures of the current page to whoever wants them; a slow viewer gets only the newest. */
export interface Screencast {
  /** Follows that page from now on; null for none. */
  follow(targetId: string | null): void
  /** Adds a viewer, who gets the newest picture at once. Returns a function that removes the viewer. */
  join(take: (frame: LiveFrame) => Promise<void>): () => void
}

interface Guest {
  readonly take: (frame: LiveFrame) => Promise<void>
  busy: boolean
  /** The newest picture that arrived while the previous one was being sent. */
  next: LiveFrame | null
}

// Enough for a laptop's screen; larger windows are scaled down.
const pictures = { format: 'jpeg', quality: 70, maxWidth: 1600, maxHeight: 1600, everyNthFrame: 1 }
/** A page without motion sends no pictures by itself. */
const stillMs = 250

interface Cast {
  readonly data: string
  readonly sessionId: number
  readonly metadata: { readonly deviceWidth: number; readonly deviceHeight: number }
}

/**
 * A screencast that runs while somebody watches. A picture is only requested when somebody is ready for it: slow viewers
 * get fewer, and delay nobody.
 */
export function screencast(look: Pick<Eyes, 'ask' | 'onEvent'>): Screencast {
  const guests = new Set<Guest>()
  let target: string | null = null
  let running: string | null = null
  let newest: LiveFrame | null = null
  let unacked: { readonly target: string; readonly sessionId: number } | null = null
  // The page may go at any moment; then the next one is followed.
  const gone = (): undefined => undefined

  function acknowledge(): void {
    const free = [...guests].some((guest) => !guest.busy)
    if (unacked === null || !free) return
    const { target: of, sessionId } = unacked
    unacked = null
    look.ask('Page.screencastFrameAck', { sessionId }, of).catch(gone)
  }

  function give(guest: Guest, frame: LiveFrame): void {
    if (guest.busy) {
      guest.next = frame
      return
    }
    guest.busy = true
    const after = (): void => {
      guest.busy = false
      const { next } = guest
      guest.next = null
      if (next !== null && guests.has(guest)) give(guest, next)
      acknowledge()
    }
    guest.take(frame).then(after, after)
  }

  function all(frame: LiveFrame): void {
    newest = frame
    for (const guest of guests) give(guest, frame)
  }

  async function still(of: string): Promise<void> {
    const { cssVisualViewport: seen } = (await look.ask('Page.getLayoutMetrics', {}, of)) as { readonly cssVisualViewport: { readonly clientWidth: number; readonly clientHeight: number } } // the answer of the command
    const { data } = (await look.ask('Page.captureScreenshot', { format: 'jpeg', quality: 70 }, of)) as { readonly data: string } // the answer of the command
    if (running === of && newest === null) all({ jpeg: Buffer.from(data, 'base64'), width: seen.clientWidth, height: seen.clientHeight })
  }

  function turn(): void {
    const wanted = guests.size > 0 ? target : null
    if (wanted === running) return
    if (running !== null) look.ask('Page.stopScreencast', {}, running).catch(gone)
    running = wanted
    newest = null
    unacked = null
    if (wanted === null) return
    look.ask('Page.startScreencast', pictures, wanted).catch(gone)
    setTimeout(() => running === wanted && newest === null && void still(wanted).catch(gone), stillMs).unref()
  }

  look.onEvent((of, method, params) => {
    if (method !== 'Page.screencastFrame') return
    const { data, sessionId, metadata } = params as unknown as Cast // the parameters of that event
    if (of !== running) return void look.ask('Page.screencastFrameAck', { sessionId }, of).catch(gone)
    unacked = { target: of, sessionId }
    all({ jpeg: Buffer.from(data, 'base64'), width: Math.round(metadata.deviceWidth), height: Math.round(metadata.deviceHeight) })
    acknowledge()
  })

  return {
    follow(next) {
      target = next
      turn()
    },
    join(take) {
      const guest: Guest = { take, busy: false, next: null }
      guests.add(guest)
      if (newest !== null) give(guest, newest)
      turn()
      return () => {
        guests.delete(guest)
        turn()
        acknowledge()
      }
    },
  }
}
