import type { SandboxLevels } from '../../domain/sessions/sandbox.ts'
import { languages } from '../../spec/interact.ts'
import type { routes } from '../../spec/routes.ts'
import { assertMetricsToken } from '../auth.ts'
import { baseUrl } from '../base-url.ts'
import { type Handler, json } from './handler.ts'

/** GET /health: answered from memory, however busy the pools are. */
export const health: Handler<typeof routes.health> = (_input, { options }) =>
  json(JSON.stringify({ status: options.damaged?.() === true ? 'damaged' : 'ok', version: options.version, roles: options.roles, uptimeSeconds: Math.round(process.uptime()), code: levelsIn(options.code?.() ?? null) }))

/** Without the reasons: they describe the machine, and this route is public. */
function levelsIn(levels: SandboxLevels | null): object | undefined {
  return levels === null ? undefined : Object.fromEntries(languages.map((language) => [language, levels[language].level]))
}

/** GET / and /v2: for people who open the address in a browser. */
export const welcome: Handler<typeof routes.welcome | typeof routes.welcomeV2> = (_input, { request, options }) => {
  const base = baseUrl(request, options.publicUrl)
  return json(JSON.stringify({ name: 'Trawl', version: options.version, docs: `${base}/docs`, openapi: `${base}/openapi.json` }))
}

/** GET /metrics */
export const metrics: Handler<typeof routes.metrics> = async (_input, { request, ports, options }) => {
  assertMetricsToken(request.headers, options)
  return { media: 'text/plain; version=0.0.4; charset=utf-8', body: await ports.metrics.text() }
}

/** Makes a text once for each version: anyone may ask for it, and it takes long enough to make to hold up everybody else. */
function madeOnce(make: (version: string) => Promise<string>): (version: string) => Promise<Buffer> {
  const made = new Map<string, Promise<Buffer>>()
  return (version) => {
    const text = made.get(version) ?? make(version).then((one) => Buffer.from(one))
    made.set(version, text)
    return text
  }
}

const openApiText = madeOnce(async (version) => {
  const { openApi } = await import('../openapi.ts')
  return JSON.stringify(openApi(version))
})

const docsText = madeOnce(async (version) => {
  const [{ openApi }, { docsPage }] = await Promise.all([import('../openapi.ts'), import('../docs/page.ts')])
  return docsPage(openApi(version))
})

/** GET /openapi.json */
export const openapi: Handler<typeof routes.openapi> = async (_input, { options }) => json(await openApiText(options.version))

/** GET /docs */
export const docs: Handler<typeof routes.docs> = async (_input, { options }) => ({ media: 'text/html; charset=utf-8', body: await docsText(options.version) })
