import { activity as activityOf, concurrency, creditHistory as historyOf, creditUsage as usageOf, queueStatus as statusOf, tokenHistory as tokensOf, tokenUsage as tokensLeft } from '../../app/team/view.ts'
import { keepFeedback, keepSearchFeedback } from '../../app/team/feedback.ts'
import type { routes } from '../../spec/routes.ts'
import type { FeedbackAnswer, FeedbackRequest } from '../../spec/team.ts'
import { type Edge, type Handler, json, type Reply } from './handler.ts'

const sent = (answer: object): Reply => json(JSON.stringify(answer))

/** GET /v2/team/credit-usage */
export const creditUsage: Handler<typeof routes.creditUsage> = async (_input, { ports, team, key }) => sent(await usageOf(ports.team, { team, key }))

/** GET /v2/team/credit-usage/historical */
export const creditHistory: Handler<typeof routes.creditHistory> = async ({ query }, { ports, team }) => sent(await historyOf(query, ports.team, team))

/** GET /v2/team/token-usage */
export const tokenUsage: Handler<typeof routes.tokenUsage> = () => sent(tokensLeft())

/** GET /v2/team/token-usage/historical */
export const tokenHistory: Handler<typeof routes.tokenHistory> = async ({ query }, { ports, team }) => sent(await tokensOf(query, ports.team, team))

/** GET /v2/team/queue-status */
export const queueStatus: Handler<typeof routes.queueStatus> = async (_input, { ports, team }) => sent(await statusOf(ports.team, team))

/** GET /v2/concurrency-check */
export const concurrencyCheck: Handler<typeof routes.concurrencyCheck> = async (_input, { ports, team }) => sent(await concurrency(ports.team, team))

/** GET /v2/team/activity */
export const teamActivity: Handler<typeof routes.teamActivity> = async ({ query }, { ports, team }) => sent(await activityOf(query, ports.team, team))

async function keep(kept: typeof keepFeedback, body: FeedbackRequest, { ports, team }: Edge): Promise<Reply> {
  const id = ports.newId()
  await kept(body, { ...ports.team, results: ports.results.results }, { id, team })
  const answer: FeedbackAnswer = { success: true, feedbackId: id, creditsRefunded: 0 }
  return sent(answer)
}

/** POST /v2/feedback */
export const feedback: Handler<typeof routes.feedback> = ({ body }, edge) => keep(keepFeedback, body, edge)

/** POST /v2/search/{id}/feedback */
export const searchFeedback: Handler<typeof routes.searchFeedback> = ({ params, body }, edge) => keep(keepSearchFeedback, { ...body, endpoint: 'search', jobId: params.id }, edge)
