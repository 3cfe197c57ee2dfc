import { z } from 'zod'
import { queryInt, TargetUrl } from './common.ts'
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
    previousScrapeAt: z.iso.datetime().nullable().describe('Null for the first version.'),
    changeStatus: z.enum(['new', 'same', 'changed', 'removed']).describe('`removed`: there was a page, and its site says that there is none; `new` also when it is back.'),
    visibility: z.enum(['visible', 'hidden']).describe('`hidden`: known from before, and not found by the crawl this time.'),
    diff: z.string().optional().describe('Mode git-diff: what changed in the markdown, as a unified diff.'),
    diffDetail: z.strictObject({ text: z.string(), json: z.strictObject({ files: z.array(File) }) }).optional().describe('The same, and as chunks.'),
    json: z
      .record(z.string(), z.strictObject({ previous: z.unknown(), current: z.unknown() }))
      .optional()
      .describe('Mode json: the fields that changed.'),
  })
  .meta({ id: 'ChangeTracking' })
export type ChangeTracking = z.output<typeof ChangeTracking>

/** Id of a version in a path. */
export const VersionPath = z.strictObject({ id: z.uuid().describe('Id of the version: that of its scrape.') })

/** Query of GET /v2/changes. */
export const ChangesQuery = z.strictObject({
  url: TargetUrl.describe('The page, as it was scraped.'),
  tag: z.string().max(limits.tagLength).optional().describe('The tag that it was tracked under.'),
  at: z.iso.datetime({ offset: true }).optional().describe('Answer the page itself, as it was then.'),
  skip: queryInt(0, limits.count).optional().describe('Leave out this many versions from the start; default 0.'),
  limit: queryInt(1, limits.statusPage).optional().describe(`How many versions at most; default ${limits.statusPage}.`),
})
export type ChangesQuery = z.output<typeof ChangesQuery>

/** Query of DELETE /v2/changes. */
export const ForgetQuery = ChangesQuery.pick({ url: true, tag: true })
export type ForgetQuery = z.output<typeof ForgetQuery>

/** Answer of DELETE /v2/changes. */
export const ForgetAnswer = z.strictObject({ success: z.literal(true), deleted: z.int().min(0).describe('How many versions there were.') }).meta({ id: 'ForgetAnswer' })
export type ForgetAnswer = z.output<typeof ForgetAnswer>

/** Answer of GET /v2/changes without `at`. */
export const VersionsAnswer = z
  .strictObject({
    success: z.literal(true),
    versions: z.array(z.strictObject({ id: z.uuid(), at: z.iso.datetime(), changeStatus: ChangeTracking.shape.changeStatus })).describe('Newest first.'),
    next: z.string().optional().describe('Where older ones are.'),
  })
  .meta({ id: 'VersionsAnswer' })
export type VersionsAnswer = z.output<typeof VersionsAnswer>
