import { untilAborted } from '../../lib/deadline.ts'

/** After so many refusals in a row, browsers included, no page is rendered just because of a challenge. */
const enough = 5
/** How often one is rendered all the same: walls come down. */
const testEvery = 20
const maxKept = 2_000

/** What is known of the walls (challenges, bans) that sites put before the pages of jobs, by name. */
export interface Walls {
  /** A page arrives at a wall. */
  approach(name: string): AtWall
}

/** One page at a wall. */
export interface AtWall {
  /** Whether the wall is known to stand, so that a browser is not tried first. */
  stands(): boolean
  /** Whether a try by browser is worthwhile; the answer does not change. If enough others are trying to tell, waits for them until the signal aborts, and then rejects with its reason. */
  mayTry(signal: AbortSignal): Promise<boolean>
  /** Whether the answer to that was no. */
  left(): boolean
  /** Call when the page is done: whether a browser was refused; null if none tried. */
  end(refused: boolean | null): void
}

interface Wall {
  refusals: number
  /** A page got past since the wall last stood: others need not wait. */
  open: boolean
  spared: number
  trying: number
  waiting: (() => void)[]
}

/** Remembers walls for the life of the process. */
export function wallMemory(): Walls {
  const kept = new Map<string, Wall>()
  const wallOf = (name: string): Wall => {
    const wall = kept.get(name) ?? { refusals: 0, open: false, spared: 0, trying: 0, waiting: [] }
    kept.delete(name)
    kept.set(name, wall)
    for (const [oldest, { trying }] of kept) {
      if (kept.size <= maxKept || trying > 0) break
      kept.delete(oldest)
    }
    return wall
  }
  /** Null: that shows when one of those has ended who are trying now. */
  const decide = (wall: Wall): boolean | null => {
    if (wall.refusals >= enough) return ++wall.spared % testEvery === 0
    return wall.open || wall.trying + wall.refusals < enough ? true : null
  }
  const asked = async (wall: Wall, signal: AbortSignal): Promise<boolean> => {
    for (;;) {
      const decided = decide(wall)
      if (decided === true) wall.trying += 1
      if (decided !== null) return decided
      await untilAborted(new Promise<void>((resolve) => wall.waiting.push(resolve)), signal)
    }
  }
  return {
    approach(name) {
      let tries: Promise<boolean> | null = null
      let trying: Wall | null = null
      let left = false
      const ask = async (signal: AbortSignal): Promise<boolean> => {
        const wall = wallOf(name)
        const may = await asked(wall, signal)
        if (may) trying = wall
        left = !may
        return may
      }
      return {
        stands: () => (kept.get(name)?.refusals ?? 0) >= enough,
        mayTry: (signal) => (tries ??= ask(signal)),
        left: () => left,
        end(refused) {
          if (trying === null && refused === null) return
          const wall = trying ?? wallOf(name)
          if (trying !== null) wall.trying -= 1
          if (refused !== null) wall.refusals = refused ? wall.refusals + 1 : 0
          if (refused !== null) wall.open = refused ? wall.open && wall.refusals < enough : true
          for (const wake of wall.waiting.splice(0)) wake()
        },
      }
    },
  }
}
