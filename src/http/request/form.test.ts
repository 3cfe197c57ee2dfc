import type { FastifyRequest } from 'fastify'
import { expect, it } from 'vitest'
import { routes } from '../../spec/routes.ts'
import { sentWith } from './form.ts'

const silent = { body: undefined, headers: {} } as FastifyRequest // what is read of it

it('takes no body for an empty one where nothing has to be said', async () => {
  expect(await sentWith(silent, routes.browserCreate)).toMatchObject({ body: {}, warnings: [] })
  await expect(sentWith(silent, routes.scrape)).rejects.toThrow('The body is empty; send JSON.')
})
