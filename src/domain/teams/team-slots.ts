/** Concurrency slots of a team over the whole fleet (`TRAWL_TEAM_CONCURRENCY`). */
export interface Slots {
  /** False when `limit` live holders exist. A holder not renewed by `until` no longer counts. */
  acquire(team: string, holder: string, limit: number, until: number, now: number): Promise<boolean>
  renew(holder: string, until: number): Promise<void>
  release(holder: string): Promise<void>
  inUse(team: string, now: number): Promise<number>
}
