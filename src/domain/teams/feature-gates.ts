/** Teams for which a feature is on: their ids, or `*` for all (contract §15.14, feature gates). */
export type TeamList = readonly string[]

/** Whether the feature is on for the team. */
export function isOn(list: TeamList, team: string): boolean {
  return list.includes('*') || list.includes(team)
}

/** The features that an operator enables per team. */
export interface FeatureGates {
  readonly zeroRetention: TeamList
  readonly ignoreRobots: TeamList
  readonly enterpriseSearch: TeamList
}

/** The features behind a gate. */
export const featureGates = ['zeroRetention', 'ignoreRobots', 'enterpriseSearch'] as const satisfies readonly (keyof FeatureGates)[]
export type FeatureGate = (typeof featureGates)[number]
