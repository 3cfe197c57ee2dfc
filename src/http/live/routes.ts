import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ServiceError } from '../../domain/errors.ts'
import { liveUrls } from '../../domain/sessions/live-browser.ts'
import { baseUrl } from '../base-url.ts'
import type { HttpOptions, HttpPorts } from '../ports.ts'
import { recognise } from './door.ts'
import { endedPage, viewPage, viewStyle } from './page.ts'
import { viewScript } from './script.ts'

/**
 * Only our own scripts run, only we are reached, and the URL, which grants access to the session, is not sent as a
 * referrer.
 */
const guarded = {
  'content-security-policy': "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-robots-tag': 'noindex, nofollow',
}

const idOf = ({ params }: FastifyRequest): string => (params as { readonly id: string }).id // of the path below
const tokenOf = ({ query }: FastifyRequest): string => {
  const { token } = query as { readonly token?: unknown } // as the router reads it
  return typeof token === 'string' ? token : ''
}

function page(reply: FastifyReply, status: number, html: string): FastifyReply {
  return reply.code(status).headers({ ...guarded, 'cache-control': 'no-store' }).type('text/html; charset=utf-8').send(html)
}

/** Serves the URLs of live sessions for browsers and drivers; they contain a token and need no key. */
export function liveRoutes(app: FastifyInstance, { live }: Pick<HttpPorts, 'live'>, { publicUrl }: Pick<HttpOptions, 'publicUrl'>): void {
  for (const folder of ['browser', 'interact']) {
    app.get(`/v2/${folder}/:id/view`, async (request, reply) => {
      try {
        const { access } = await recognise({ id: idOf(request), token: tokenOf(request), way: 'view' }, live)
        return page(reply, 200, viewPage(access === 'control'))
      } catch (error) {
        if (error instanceof ServiceError && error.code === 'NOT_FOUND') return page(reply, 404, endedPage())
        throw error
      }
    })
    const asset = (name: string, type: string, text: string): void => {
      // Next to the page, so that the same relative URL works behind any proxy.
      app.get(`/v2/${folder}/:id/${name}`, async (_request, reply) => reply.headers({ 'x-content-type-options': 'nosniff', 'cache-control': 'public, max-age=300' }).type(type).send(text))
    }
    asset('view.js', 'text/javascript; charset=utf-8', viewScript)
    asset('view.css', 'text/css; charset=utf-8', viewStyle)
    // Drivers given an `http:` URL look up the `ws:` one here.
    app.get(`/v2/${folder}/:id/cdp/json/version`, async (request, reply) => {
      const id = idOf(request)
      const { tokens } = await recognise({ id, token: tokenOf(request), way: 'cdp' }, live)
      const { cdpUrl } = liveUrls(baseUrl(request, publicUrl), id, tokens)
      return reply.headers({ 'cache-control': 'no-store' }).type('application/json; charset=utf-8').send(JSON.stringify({ Browser: 'Chromium', 'Protocol-Version': '1.3', webSocketDebuggerUrl: cdpUrl }))
    })
  }
}
