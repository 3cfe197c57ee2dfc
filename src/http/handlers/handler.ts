import type { Claimed } from '../../domain/teams/repeats.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { Route, RouteName, routes } from '../../spec/routes.ts'
import type { OpenCall } from '../call.ts'
import type { Follower, Standing } from '../followers.ts'
import type { UploadedFile } from '../request/form.ts'
import type { HttpOptions, HttpPorts } from '../ports.ts'

type Output<S> = S extends z.ZodType ? z.output<S> : undefined

/** The parsed parts of a request, typed by its route. */
export interface Input<R extends Route> {
  readonly params: Output<R['params']>
  readonly query: Output<R['query']>
  readonly body: Output<R['body']>
  /** The uploaded file, if the route accepts one. */
  readonly file: R['upload'] extends true ? UploadedFile : undefined
  /** Warnings about the request itself, for the caller. */
  readonly warnings: readonly string[]
  /** Keys that the body itself contains, before defaults. */
  readonly given: ReadonlySet<string>
}

/** The request and its context. */
export interface Edge {
  readonly team: string
  /** The API key of the request; null when keys are off. */
  readonly key: string | null
  /** Set when another process of the fleet forwards the request. */
  readonly peer: { readonly base: string } | null
  readonly request: FastifyRequest
  readonly ports: HttpPorts
  readonly options: HttpOptions
  /** Creates the call of this request; the edge ends it. */
  call(terms: { timeoutMs: number; retention: 'normal' | 'zero' }): OpenCall
  /** With an idempotency key, runs only once per key; `run` gets an id for what it creates. */
  once(terms: { until: number; keepable: boolean }, run: (own: Claimed) => Promise<Uint8Array>): Promise<Uint8Array>
  /**
   * An id for what the request creates; if the response may be stored, a repeat with the same idempotency key gets the same
   * id.
   */
  newId(keepable: boolean): string
  /** Makes this request a follower of jobs until its connection ends. Throws `RATE_LIMITED`, `SHUTTING_DOWN`. */
  follow(): Follower
  /** Whether the key of this request is still valid, for long responses. */
  standing(): Standing
  readonly reply: FastifyReply
}

/** A response: complete bytes or text, or pieces produced as the client reads them. */
export interface Reply {
  readonly media: string
  readonly body: Uint8Array | string | AsyncIterable<Uint8Array>
  /** 204 when there is no content and never will be; otherwise 200. */
  readonly status?: 204
}

export type Handler<R extends Route> = (input: Input<R>, edge: Edge) => Promise<Reply> | Reply

/** One handler per route; the build fails if one is missing. */
export type Handlers = { readonly [N in RouteName]: Handler<(typeof routes)[N]> }

/** A JSON response, serialised already, whole or in pieces. */
export const json = (body: Reply['body']): Reply => ({ media: 'application/json; charset=utf-8', body })
