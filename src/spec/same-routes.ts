import type { RouteName } from './routes.ts'

/** Routes that are another route under a second path, and that route: they count as one kind of request. */
const others: Readonly<Partial<Record<RouteName, RouteName>>> = {
  interactCreate: 'browserCreate',
  interactList: 'browserList',
  interactStatus: 'browserStatus',
  interactExecute: 'browserExecute',
  interactDelete: 'browserDelete',
  profileRemoveToo: 'profileRemove',
  crawlOngoing: 'crawlActive',
}
const firsts: ReadonlyMap<string, string> = new Map(Object.entries(others))

/** The names of a kind of request, by any of them: that of its first path, then those of others. */
export function namesOfKind(kind: string): readonly [string, ...string[]] {
  const first = firsts.get(kind) ?? kind
  return [first, ...[...firsts].filter(([, of]) => of === first).map(([name]) => name)]
}
