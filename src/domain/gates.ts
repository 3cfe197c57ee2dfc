/** Teams for which a feature is on: their ids, or `*` for all (contract §15.14, feature gates). */
export type TeamList = readonly string[]

/** Whether the feature is on for the team. */
export function isOn(list: TeamList, team: string): boolean {
  return list.includes('*') || list.includes(team)
}

/** The features that an operator grants team by team. */
export interface Gates {
  readonly zeroRetention: TeamList
  readonly ignoreRobots: TeamList
  readonly enterpriseSearch: TeamList
}

/** Names of the gates. */
export const gateNames = ['zeroRetention', 'ignoreRobots', 'enterpriseSearch'] as const satisfies readonly (keyof Gates)[]
export type GateName = (typeof gateNames)[number]
