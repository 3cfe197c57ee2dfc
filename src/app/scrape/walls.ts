import { untilAborted } from '../../lib/deadline.ts'

/** Pages refused in a row, in a browser too, after which none is rendered for the sake of a challenge. */
const enough = 5
/** So often one is rendered all the same: walls are taken down. */
const testEvery = 20
const maxKept = 2_000

/** What is known of walls (challenges, bans) that sites put before the pages of a job, by names of their own. */
export interface Walls {
  /** Comes to a wall with a page. */
  approach(name: string): AtWall
}

/** One page at a wall. */
export interface AtWall {
  /** Whether the wall has proved to stand, so that a browser is not the first to be asked. */
  stands(): boolean
  /** Whether it is worth a try by browser; the same however often it is asked. Waits where as many others are trying as would tell, as long as the signal lasts; rejects with its reason. */
  mayTry(signal: AbortSignal): Promise<boolean>
  /** Whether the answer to that was no. */
  left(): boolean
  /** The page is done: whether it was refused in a browser; null where no browser had it. */
  end(refused: boolean | null): void
}

interface Wall {
  refusals: number
  /** One has got past since it last stood: others need not wait for it. */
  open: boolean
  spared: number
  trying: number
  waiting: (() => void)[]
}

/** Remembers walls as long as the process lives. */
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
