/** Where a webhook goes, and what its owner wants sent along. */
export interface Receiver {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
}

/** One attempt at one event. */
export interface WebhookMessage extends Receiver {
  /** Headers of ours: they win over the receiver's owner. */
  readonly signature: Readonly<Record<string, string>>
  readonly body: Uint8Array
}

/** Why there was no answer. */
export type NoAnswer = 'forbidden' | 'unresolved' | 'certificate' | 'timeout' | 'unreachable' | 'broken' | 'unsendable'

/** What an attempt brought home; `retryAfter` as the receiver wrote it. */
export type Receipt = { readonly kind: 'answer'; readonly status: number; readonly retryAfter?: string } | { readonly kind: 'none'; readonly why: NoAnswer }

/** Brings messages to receivers, and knows which receivers there may be. */
export interface WebhookClient {
  /** Sends once; follows no redirect. Rejects with the signal's reason, and with nothing else. */
  post(message: WebhookMessage, signal: AbortSignal): Promise<Receipt>
  /** Throws `BAD_REQUEST` for a receiver that could never be sent to: not http, an address that is not allowed, headers that HTTP does not allow. One whose name does not resolve yet passes. */
  assertReceiver(receiver: Receiver, signal: AbortSignal): Promise<void>
}
