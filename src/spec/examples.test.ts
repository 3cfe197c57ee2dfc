import { expect, it } from 'vitest'
import { type Example, examples } from './examples.ts'
import { type Route, type RouteName, routes } from './routes.ts'

const all = Object.entries(examples) as unknown as readonly (readonly [RouteName, readonly Example[]])[]

it('each route with a body has an example', () => {
  const withBody = Object.entries<Route>(routes).filter(([, { body }]) => body !== undefined).map(([name]) => name)
  expect(all.filter(([, list]) => list.length > 0).map(([name]) => name).toSorted()).toEqual(withBody.toSorted())
})

it.each(all.flatMap(([name, list]) => list.map(({ title, body }) => ({ name, title, body }))))('the example of $name is a valid request: $title', ({ name, body }) => {
  const { error } = (routes[name] as Route).body?.safeParse(body) ?? {}
  expect(error).toBeUndefined()
})
