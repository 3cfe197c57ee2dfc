import type { FastifyRequest } from 'fastify'
import { urlOf } from '../lib/url-of.ts'

const hostForm = /^[A-Za-z0-9.:[\]_-]{1,255}$/

/** Whether a Host header is valid; URLs in responses start with it. */
export const isHost = (text: string): boolean => hostForm.test(text) && urlOf(`http://${text}`) !== null

const first = (value: string | string[] | undefined): string | undefined => (Array.isArray(value) ? value[0] : value)?.split(',', 1)[0]?.trim()

/**
 * Base of the URLs in a response: as configured, otherwise as the client (or the proxy in front of us) addressed us
 * (contract §0.2).
 */
export function baseUrl(request: FastifyRequest, publicUrl: string | null): string {
  if (publicUrl !== null) return publicUrl.replace(/\/+$/, '')
  const forwarded = first(request.headers['x-forwarded-host'])
  const host = forwarded !== undefined && isHost(forwarded) ? forwarded : (request.headers.host ?? 'localhost')
  const scheme = first(request.headers['x-forwarded-proto']) === 'https' ? 'https' : 'http'
  return `${scheme}://${host}`
}
