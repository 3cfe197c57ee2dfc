import { z } from 'zod'
import { JobId, queryInt, TargetUrl } from './common.ts'
import { limits } from './limits.ts'

const line = z.int().min(1).max(limits.count)
const Change = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('normal'), normal: z.literal(true), content: z.string(), ln1: line, ln2: line }),
  z.strictObject({ type: z.literal('del'), del: z.literal(true), content: z.string(), ln: line }),
  z.strictObject({ type: z.literal('add'), add: z.literal(true), content: z.string(), ln: line }),
])
const File = z.strictObject({ from: z.string(), to: z.string(), chunks: z.array(z.strictObject({ content: z.string(), changes: z.array(Change) })) })

/** How a tracked page compares with its version before. */
export const ChangeTracking = z
  .strictObject({
    previousScrapeAt: z.iso.datetime().nullable().describe('When the version before this one was scraped; null for the first.'),
    changeStatus: z.enum(['new', 'same', 'changed', 'removed']).describe('`removed`: there was a page before, and its site now answers that there is none. A page that comes back is `new` again.'),
    visibility: z.enum(['visible', 'hidden']).describe('`hidden`: known from before, but not found by this crawl.'),
    diff: z.string().optional().describe('Mode `git-diff`: the changes of the markdown as a unified diff.'),
    diffDetail: z.strictObject({ text: z.string(), json: z.strictObject({ files: z.array(File) }) }).optional().describe('Mode `git-diff`: the same diff as text and in structured form.'),
    json: z
      .record(z.string(), z.strictObject({ previous: z.unknown(), current: z.unknown() }))
      .optional()
      .describe('Mode `json`: the fields that changed, with their values before and after.'),
  })
  .meta({ id: 'ChangeTracking' })
export type ChangeTracking = z.output<typeof ChangeTracking>

/** Id of a version in a path. */
export const VersionPath = z.strictObject({ id: JobId.describe('Id of the version, which is the id of its scrape.') })

/** Query of DELETE /v2/changes. */
export const ForgetQuery = z.strictObject({
  url: TargetUrl.describe('URL of the page, as it was given to the scrape.'),
  tag: z.string().max(limits.tagLength).optional().describe('The `tag` that the page was tracked under.'),
})
export type ForgetQuery = z.output<typeof ForgetQuery>

/** Query of GET /v2/changes. */
export const ChangesQuery = ForgetQuery.extend({
  at: z.iso.datetime({ offset: true }).optional().describe('Return the page as it was at this time instead of the list of versions.'),
  skip: queryInt(0, limits.count).optional().describe('Skip this many versions; default 0.'),
  limit: queryInt(1, limits.statusPage).optional().describe(`How many versions at most; default ${limits.statusPage}.`),
}).refine(({ at, skip, limit }) => at === undefined || (skip ?? limit) === undefined, { path: ['at'], message: 'at asks for one version, and takes neither skip nor limit' })
export type ChangesQuery = z.output<typeof ChangesQuery>

/** Answer of DELETE /v2/changes. */
export const ForgetAnswer = z.strictObject({ success: z.literal(true), deleted: z.int().min(0).describe('How many versions were deleted.') }).meta({ id: 'ForgetAnswer' })
export type ForgetAnswer = z.output<typeof ForgetAnswer>

/** Answer of GET /v2/changes without `at`. */
export const VersionsAnswer = z
  .strictObject({
    success: z.literal(true),
    versions: z.array(z.strictObject({ id: z.uuid(), at: z.iso.datetime(), changeStatus: ChangeTracking.shape.changeStatus })).describe('Newest first.'),
    next: z.string().optional().describe('URL of the next page of this list (older versions).'),
  })
  .meta({ id: 'VersionsAnswer' })
export type VersionsAnswer = z.output<typeof VersionsAnswer>
