import type { Ledger } from '../../domain/teams/ledger.ts'
import type { Results } from '../../domain/pages/results.ts'
import type { Teams } from '../../domain/teams/teams.ts'
import type { FeedbackRequest } from '../../spec/team.ts'
import { assertOwn, unknownId } from '../own.ts'

interface FeedbackPorts {
  readonly teams: Pick<Teams, 'addFeedback'>
  readonly ledger: Pick<Ledger, 'find'>
  readonly results: Pick<Results, 'find'>
  readonly now: () => number
}

/** Stores a team's feedback on an answer. Throws `FORBIDDEN` for another team's answer. */
export async function keepFeedback(body: FeedbackRequest, { teams, results, now }: FeedbackPorts, { id, team }: { readonly id: string; readonly team: string }): Promise<void> {
  const result = await results.find(body.jobId)
  if (result !== null) assertOwn('job', result, team)
  await teams.addFeedback({ id, team, at: now(), endpoint: body.endpoint, rating: body.rating, body: JSON.stringify(body) })
}

/** The same for a search. Throws `NOT_FOUND`, too, if the team made no such search. */
export async function keepSearchFeedback(body: FeedbackRequest, ports: FeedbackPorts, by: { readonly id: string; readonly team: string }): Promise<void> {
  // Some search results are not kept, and none for long, but their charge is.
  const charge = await ports.ledger.find(by.team, body.jobId)
  if (charge?.kind === 'search') return keepFeedback(body, ports, by)
  const result = await ports.results.find(body.jobId)
  if (result === null || result.kind !== 'search') throw unknownId('search')
  return keepFeedback(body, ports, by)
}
