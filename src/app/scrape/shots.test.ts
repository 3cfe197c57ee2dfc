import { expect, it } from 'vitest'
import type { ActionResults } from '../../domain/pages/actions.ts'
import type { Call } from '../../domain/call.ts'
import { placeActions, type ShotPorts } from './shots.ts'

const ports: ShotPorts = { blobs: { put: async () => 'blob' } as unknown as ShotPorts['blobs'], retentionMs: 1, now: () => 0 } // what placing uses
const call: Call = { id: 'c', team: 't', signal: new AbortController().signal, deadline: 10_000, retention: 'normal', log: () => undefined }
const placed = (results: Partial<ActionResults>): ReturnType<typeof placeActions> => placeActions({ screenshots: [], scrapes: [], javascriptReturns: [], pdfs: [], ...results }, { baseUrl: 'http://trawl.test', inline: false }, ports, call)

it('says that what an action scraped is not all of the page', async () => {
  const page = { url: 'http://a.test/', html: '<p>a</p>' }
  const { actions, warnings } = await placed({ scrapes: [page, { ...page, cut: true }] })
  expect([actions.scrapes, warnings]).toEqual([[page, page], ['What an action scraped is larger than what is read, or could not be read completely; a part of it is missing.']])
  expect((await placed({ scrapes: [page] })).warnings).toEqual([])
})
