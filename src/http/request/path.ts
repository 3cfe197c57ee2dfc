import { type Route, routes } from '../../spec/routes.ts'

const all: readonly Route[] = Object.values(routes)

/** Paths of their own. None of them is an id, although some look like one: `/v2/crawl/active` is not a job. */
const ownPaths: ReadonlySet<string> = new Set(all.map(({ path }) => path).filter((path) => !path.includes('{')))

/** The path of a request, without its query and a slash at its end. */
export const pathOf = ({ url = '' }: { readonly url?: string | undefined }): string => url.split('?', 1)[0]?.replace(/(.)\/$/, '$1') ?? ''

/** Whether a path is one by itself, so that nothing in it is an id. */
export const isOwnPath = (path: string): boolean => ownPaths.has(path)

/** Whether the route is public, and therefore also answers HEAD. */
export const isPublicGet = ({ access, method }: Route): boolean => access === 'public' && method === 'GET'

/** The methods that a path has; none where there is no such path. */
export function allowedMethods(path: string): readonly string[] {
  const matches = all.filter((route) => (isOwnPath(path) ? route.path === path : new RegExp(`^${route.path.replace(/\{\w+\}/g, '[^/]+')}$`).test(path)))
  return [...new Set(matches.flatMap((route) => (isPublicGet(route) ? [route.method, 'HEAD'] : [route.method])))]
}
