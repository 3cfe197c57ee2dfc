/** How long a repeat of a request is one. */
export const repeatMs = 24 * 3_600_000
