import type { FastifyRequest } from 'fastify'

const hostForm = /^[A-Za-z0-9.:[\]_-]{1,255}$/

const first = (value: string | string[] | undefined): string | undefined => (Array.isArray(value) ? value[0] : value)?.split(',', 1)[0]?.trim()

/** Base of the URLs that an answer hands out: as configured, else as the client (or the proxy before us) reached us (contract §0.2). */
export function baseUrl(request: FastifyRequest, publicUrl: string | null): string {
  if (publicUrl !== null) return publicUrl.replace(/\/+$/, '')
  const forwarded = first(request.headers['x-forwarded-host'])
  const host = forwarded !== undefined && hostForm.test(forwarded) ? forwarded : (request.headers.host ?? 'localhost')
  const scheme = first(request.headers['x-forwarded-proto']) === 'https' ? 'https' : 'http'
  return `${scheme}://${host}`
}
