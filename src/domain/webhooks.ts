/** The URL of a webhook, and the headers that its owner wants sent. */
export interface Receiver {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
}

/** One attempt to deliver one event. */
export interface WebhookMessage extends Receiver {
  /** Our own headers: they override the owner's. */
  readonly signature: Readonly<Record<string, string>>
  readonly body: Uint8Array
}

/** Why there was no response; `roomless`: this machine had no socket for it. */
export type NoAnswer = 'roomless' | 'forbidden' | 'unresolved' | 'certificate' | 'timeout' | 'unreachable' | 'broken' | 'unsendable'

/** The result of an attempt; `retryAfter` as the receiver sent it. */
export type Receipt = { readonly kind: 'answer'; readonly status: number; readonly retryAfter?: string } | { readonly kind: 'none'; readonly why: NoAnswer }

/** Delivers messages, and decides which receivers are allowed. */
export interface WebhookClient {
  /** Sends once, without following redirects. Rejects only with the signal's reason. */
  post(message: WebhookMessage, signal: AbortSignal): Promise<Receipt>
  /**
   * Throws `BAD_REQUEST` for a receiver that can never be reached: not http(s), a forbidden address, invalid headers. A
   * host name that does not resolve yet is accepted.
   */
  assertReceiver(receiver: Receiver, signal: AbortSignal): Promise<void>
}
