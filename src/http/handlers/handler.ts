import type { Claimed } from '../../domain/repeats.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { Route, RouteName, routes } from '../../spec/routes.ts'
import type { OpenCall } from '../call.ts'
import type { Follower, Standing } from '../followers.ts'
import type { UploadedFile } from '../form.ts'
import type { HttpOptions, HttpPorts } from '../ports.ts'

type Output<S> = S extends z.ZodType ? z.output<S> : undefined

/** The parsed parts of a request, typed by its route. */
export interface Input<R extends Route> {
  readonly params: Output<R['params']>
  readonly query: Output<R['query']>
  readonly body: Output<R['body']>
  /** What came along, where the route takes a file. */
  readonly file: R['upload'] extends true ? UploadedFile : undefined
  /** What the caller is to be told about the request itself. */
  readonly warnings: readonly string[]
  /** Keys that the body has itself, before defaults. */
  readonly given: ReadonlySet<string>
}

/** The request as the edge sees it. */
export interface Edge {
  readonly team: string
  /** The key that the request came with; null where keys are off. */
  readonly key: string | null
  /** Set where another process of the fleet sends the request, for somebody else. */
  readonly peer: { readonly base: string } | null
  readonly request: FastifyRequest
  readonly ports: HttpPorts
  readonly options: HttpOptions
  /** Makes the call of this request; ended by the edge. */
  call(terms: { timeoutMs: number; retention: 'normal' | 'zero' }): OpenCall
  /** Runs once per idempotency key, where the request carries one, with an id for what it makes. */
  once(terms: { until: number; keepable: boolean }, run: (own: Claimed) => Promise<Uint8Array>): Promise<Uint8Array>
  /** An id for what the request makes: of one whose answer may be kept, a repeat with its idempotency key gets the same. */
  newId(keepable: boolean): string
  /** Makes this request a follower of jobs until its connection ends. Throws `RATE_LIMITED`, `SHUTTING_DOWN`. */
  follow(): Follower
  /** Whether the key of this request is still good, for what takes long to be sent. */
  standing(): Standing
  readonly reply: FastifyReply
}

/** What a handler sends: bytes or text that are ready, or pieces that are made as the client reads them. */
export interface Reply {
  readonly media: string
  readonly body: Uint8Array | string | AsyncIterable<Uint8Array>
  /** 204 where there is nothing to say, and never will be; else 200. */
  readonly status?: 204
}

export type Handler<R extends Route> = (input: Input<R>, edge: Edge) => Promise<Reply> | Reply

/** One handler per route. Leave one out and the build fails. */
export type Handlers = { readonly [N in RouteName]: Handler<(typeof routes)[N]> }

/** JSON that is ready to be sent, whole or in pieces. */
export const json = (body: Reply['body']): Reply => ({ media: 'application/json; charset=utf-8', body })
