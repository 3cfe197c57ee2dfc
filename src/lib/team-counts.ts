/** Counts by team, and their sum. */
export interface TeamCounts {
  add(team: string, by: number): void
  of(team: string): number
  sum(): number
  byTeam(): Readonly<Record<string, number>>
}

export function teamCounts(): TeamCounts {
  const counts = new Map<string, number>()
  let sum = 0
  return {
    add(team, by) {
      sum += by
      const count = (counts.get(team) ?? 0) + by
      if (count === 0) counts.delete(team)
      else counts.set(team, count)
    },
    of: (team) => counts.get(team) ?? 0,
    sum: () => sum,
    byTeam: () => Object.fromEntries(counts),
  }
}

/**
 * How many there should be beyond that many places for teams that have none: whoever holds all others for minutes, at sites
 * that never answer, does not keep everybody else waiting. A single place stays a single place.
 */
export function spareOf(places: number): number {
  return places < 2 ? 0 : Math.ceil(places / 10)
}

/** Whether one more of the team fits among so many places, and the spare ones for teams that have none. */
export function hasRoom(counts: TeamCounts, { places, spare }: { readonly places: number; readonly spare: number }, team: string): boolean {
  return counts.sum() < places || (counts.sum() < places + spare && counts.of(team) === 0)
}
