import { z } from 'zod'
import { characters, telemetry } from './common.ts'
import { limits } from './limits.ts'

/** The languages of code that users may run in a browser session. */
export const languages = ['node', 'python', 'bash'] as const
const language = z.enum(languages)

const seconds = z
  .number()
  .min(limits.runSecondsMin, `Too small: expected seconds, at least ${limits.runSecondsMin}`)
  .max(limits.runSecondsMax, `Too big: expected seconds, at most ${limits.runSecondsMax}`)
/** How long a run may take, of that kind of number. */
const timeoutOf = (kind: typeof seconds): z.ZodOptional<typeof seconds> => kind.optional().meta({ default: limits.runSecondsDefault }).describe('How many seconds the run may take.')

/** How long a session lives, in seconds; what is left out is as configured. */
export const lifetime = {
  ttl: z.int().min(limits.sessionSecondsMin).max(limits.sessionSecondsMax).optional().describe('How many seconds the session may live.'),
  activityTtl: z.int().min(limits.idleSecondsMin).max(limits.sessionSecondsMax).optional().describe('How many seconds the session lives without being used.'),
}

/** Keys of official clients that mean nothing to a run: accepted, named in `warning`. */
export const unsupportedInteractKeys = ['existingSessionId'] as const

/** Body of POST /v2/scrape/{jobId}/interact. */
export const InteractRequest = z
  .strictObject({
    code: characters(limits.scriptLength).optional().describe('Code to run, with the browser at hand. Exactly one of `code` and `prompt` must be given.'),
    prompt: characters(limits.promptLength).optional().describe('Task for the agent, in words.'),
    language: language.default('node').describe('Language of `code`; `bash` runs commands of the browser automation tool.'),
    timeout: timeoutOf(seconds),
    ...lifetime,
    ...telemetry,
  })
  .superRefine(({ code, prompt }, context) => {
    if ((code === undefined) === (prompt === undefined)) context.addIssue({ code: 'custom', path: ['code'], message: 'Give exactly one of code and prompt' })
  })
  .meta({ id: 'InteractRequest' })
export type InteractRequest = z.output<typeof InteractRequest>

/** Body of POST /v2/browser/{id}/execute. */
export const ExecuteRequest = z
  .strictObject({
    code: characters(limits.scriptLength).describe('Code to run, with the browser at hand.'),
    language: language.default('node').describe('Language of `code`; `bash` runs commands of the browser automation tool.'),
    timeout: timeoutOf(seconds.int()), // The specification has an integer here, a number above.
    ...telemetry,
  })
  .meta({ id: 'ExecuteRequest' })
export type ExecuteRequest = z.output<typeof ExecuteRequest>

/** Where a session can be reached. Whoever has such an address may use it; it is good for as long as the session lives. */
export const sessionLinks = {
  cdpUrl: z.string().optional().describe('WebSocket URL of the browser\'s DevTools protocol.'),
  liveViewUrl: z.string().optional().describe('URL of a page that shows the session live.'),
  interactiveLiveViewUrl: z.string().optional().describe('URL of a page that shows the session live and lets you control it.'),
}

/** Answer of a run in a session. */
export const RunAnswer = z
  .strictObject({
    success: z.boolean().describe('For interact: whether the run ended without an error. For execute: always true; see `error`.'),
    sessionId: z.string().describe('Id of the session, valid at /v2/browser/{id} too.'),
    ...sessionLinks,
    output: z.string().optional().describe('Final answer of the agent; only with `prompt`.'),
    actions: z.array(z.record(z.string(), z.unknown())).optional().describe('What the agent did, as actions of a scrape; only with `prompt`.'),
    stdout: z.string().nullable(),
    result: z.string().nullable().describe('Value of the last expression, strings as they are, other values as JSON, and what JSON cannot tell (errors, maps, NaN) as Node prints it; the printed output where there is no value. With `prompt`: the page at the end.'),
    stderr: z.string().nullable(),
    exitCode: z.int().min(-limits.count).max(limits.count).nullable().describe('0 if the run succeeded; null if it was stopped.'),
    killed: z.boolean().describe('Whether the run was stopped because its time was up.'),
    error: z.string().optional().describe('Why the run failed.'),
    truncated: z.boolean().optional().describe('Whether any output was cut off.'),
    warning: z.string().optional(),
  })
  .meta({ id: 'RunAnswer' })
export type RunAnswer = z.output<typeof RunAnswer>

/** Answer of DELETE for a session. */
export const StopAnswer = z
  .strictObject({
    success: z.literal(true),
    status: z.literal('stopped'),
    sessionDurationMs: z.int().min(0).max(limits.milliseconds).describe('How long the session lived, in milliseconds.'),
    creditsBilled: z.number().min(0),
  })
  .meta({ id: 'StopAnswer' })
export type StopAnswer = z.output<typeof StopAnswer>
