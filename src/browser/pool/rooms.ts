import type { BrowserContext } from 'playwright-core'
import { untilAborted } from '../../lib/deadline.ts'
import type { Grant, Tunnel } from '../../net/index.ts'
import type { Fleet, Member } from './fleet.ts'
import type { UseTerms } from '../terms.ts'
import { within } from '../within.ts'

/** A context in a browser, with its own credentials at the tunnel. */
export interface Room {
  readonly member: Member
  readonly context: BrowserContext
  readonly key: string | undefined
  readonly quiet: boolean
  /** The credentials of its pages at the tunnel. */
  readonly credentials: Grant | null
  /** Number of current uses; more than one only when it is shared. */
  guests: number
  /** Closed or closing: nobody may enter. */
  closed: boolean
  /** Resolves when the context is closed, for whatever reason. */
  readonly gone: Promise<void>
}

/** The tunnel as a context uses it; null when the browser cannot reach our proxy (a remote browser). */
export type ContextTunnel = Pick<Tunnel, 'host' | 'port' | 'grant'> | null

/** The browser or the context went away, perhaps through no fault of this page. */
export class RoomLost extends Error {}

/** Contexts: one per use, or one for all uses of a key. */
export interface Rooms {
  /** Rejects with the signal's reason, `RoomLost`, and what the fleet throws. */
  enter(terms: UseTerms, alone: boolean, signal: AbortSignal): Promise<Room>
  /**
   * Leaves the room, which closes unless others may come. A browser whose room does not close in time is killed; sooner
   * when the page went wrong.
   */
  leave(room: Room, well: boolean): Promise<void>
  /**
   * Closes the room for everybody in it, because a page went wrong. A browser whose room does not close in time is killed.
   */
  end(room: Room): Promise<void>
}

const closeMs = 1_000
/**
 * How long to wait for a context that does not close while others use its browser: on a busy machine it is usually slow and
 * not stuck. Shorter when its page went wrong.
 */
const patienceMs = { well: 10_000, wrong: 2_000 }
/** How long a shared room stays open for the next page of its crawl. */
const keepMs = 5_000

export function rooms(crew: Fleet, tunnel: () => ContextTunnel): Rooms {
  const shared = new Map<string, Room>()

  function usable(room: Room | undefined): room is Room {
    return room !== undefined && !room.closed && crew.join(room.member)
  }

  async function close(room: Room): Promise<boolean> {
    room.closed = true
    if (room.key !== undefined && shared.get(room.key) === room) shared.delete(room.key)
    return within(room.context.close(), closeMs)
  }

  async function open(terms: UseTerms, alone: boolean, signal: AbortSignal): Promise<Room> {
    const member = await crew.seat(alone, signal)
    try {
      const making = newRoom(member, terms, tunnel())
      // The caller may have left by then.
      making.then((room) => signal.aborted && close(room), () => undefined)
      return await untilAborted(making, signal)
    } catch (error) {
      crew.leave(member)
      if (signal.aborted || member.browser.isConnected()) throw error
      throw new RoomLost('', { cause: error })
    }
  }

  /** Closes a context, or else kills its browser; but first the other users get time to finish, and nobody new enters. */
  async function end(room: Room, well: boolean): Promise<void> {
    if (await close(room)) return
    room.member.retiring = true
    if (room.member.seats > 1 && (await within(room.gone, well ? patienceMs.well : patienceMs.wrong))) return
    room.member.kill()
  }

  return {
    end: (room) => end(room, false),
    async enter(terms, alone, signal) {
      const known = alone || terms.shared === undefined ? undefined : shared.get(terms.shared)
      const room = usable(known) ? known : await open(terms, alone, signal)
      room.guests++
      if (room.key !== undefined && !alone && !shared.has(room.key)) shared.set(room.key, room)
      return room
    },
    async leave(room, well) {
      room.guests--
      const kept = !room.closed && room.key !== undefined && shared.get(room.key) === room && !room.member.retiring
      if (kept) setTimeout(() => room.guests === 0 && !room.closed && void close(room), keepMs).unref()
      else if (room.guests === 0) await end(room, well)
      crew.leave(room.member)
    },
  }
}

/** Creates a context on the given terms: no downloads, no service workers, all traffic through the tunnel. */
async function newRoom(member: Member, terms: UseTerms, tunnel: ContextTunnel): Promise<Room> {
  // Why a document is missing decides what a scrape answers; a page itself must not see that there is a proxy.
  const grant: Grant | null = tunnel === null ? null : tunnel.grant(terms.through, 'parts')
  const proxy = tunnel === null ? {} : { proxy: { server: `http://${tunnel.host}:${tunnel.port}` } }
  try {
    // The wire blocks service workers, without revealing the driver.
    const context = await member.browser.newContext({ ...terms.context, ...proxy, acceptDownloads: false })
    const gone = new Promise<void>((resolve) => context.once('close', () => resolve()))
    const room: Room = { member, context, key: terms.shared, quiet: terms.quiet ?? false, credentials: grant, guests: 0, closed: false, gone }
    void gone.then(() => {
      room.closed = true
      grant?.revoke()
    })
    return room
  } catch (error) {
    grant?.revoke()
    throw error
  }
}
