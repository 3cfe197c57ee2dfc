import { z } from 'zod'
import { ProfileName, telemetry } from './common.ts'
import { lifetime, sessionLinks } from './interact.ts'

/** Id of a browser session in a path. */
export const SessionPath = z.strictObject({ id: z.string().min(1).max(128).toLowerCase().refine((id) => !/\p{Cc}/u.test(id), 'Not an id: with control characters').describe('Id of the session.') })

/** Body of POST /v2/browser. */
export const BrowserRequest = z
  .strictObject({
    ...lifetime,
    streamWebView: z.boolean().default(true).describe('Allow the session to be watched (live view).'),
    profile: z
      .strictObject({ name: ProfileName, saveChanges: z.boolean().default(true) })
      .optional()
      .describe('Cookies and storage kept under a name, shared with scrapes that use the same profile.'),
    recordSession: z.boolean().default(false).describe('Not supported: `true` is refused.'),
    ...telemetry,
  })
  .meta({ id: 'BrowserRequest' })
export type BrowserRequest = z.output<typeof BrowserRequest>

/** Answer of POST /v2/browser. */
export const BrowserAnswer = z
  .strictObject({
    success: z.literal(true),
    id: z.uuid(),
    ...sessionLinks,
    expiresAt: z.iso.datetime().describe('When the session ends at the latest, even if it is in use.'),
    warning: z.string().optional(),
  })
  .meta({ id: 'BrowserAnswer' })
export type BrowserAnswer = z.output<typeof BrowserAnswer>

const sessionShape = {
  id: z.uuid(),
  status: z.enum(['active', 'destroyed']),
  ...sessionLinks,
  streamWebView: z.boolean(),
  createdAt: z.iso.datetime(),
  lastActivity: z.iso.datetime(),
  expiresAt: z.iso.datetime().optional().describe('When the session ends at the latest; only while it is active.'),
  scrapeId: z.uuid().optional().describe('Id of the scrape whose page the session was opened on.'),
}

/** Query of GET /v2/browser. */
export const BrowsersQuery = z.strictObject({ status: z.enum(['active', 'destroyed']).optional().describe('Return only sessions with this status.') })
export type BrowsersQuery = z.output<typeof BrowsersQuery>

/** A session as lists show it: with the addresses that clients read of each, the Python client none without them. */
export const BrowserSession = z
  .strictObject({
    ...sessionShape,
    cdpUrl: z.string().describe('WebSocket URL of the browser\'s DevTools protocol; empty where there is none.'),
    liveViewUrl: z.string().describe('URL of a page that shows the session live; empty where there is none.'),
  })
  .meta({ id: 'BrowserSession' })
export type BrowserSession = z.output<typeof BrowserSession>

/** Answer of GET /v2/browser. */
export const BrowsersAnswer = z
  .strictObject({ success: z.literal(true), sessions: z.array(BrowserSession).describe('Newest first. Ended sessions are listed for as long as results are kept.') })
  .meta({ id: 'BrowsersAnswer' })
export type BrowsersAnswer = z.output<typeof BrowsersAnswer>

/** A session as it is shown alone. */
export type BrowserStatus = Omit<BrowserStatusAnswer, 'success'>

/** Answer of GET /v2/browser/{id}. */
export const BrowserStatusAnswer = z.strictObject({ success: z.literal(true), ...sessionShape }).meta({ id: 'BrowserStatusAnswer' })
export type BrowserStatusAnswer = z.output<typeof BrowserStatusAnswer>
