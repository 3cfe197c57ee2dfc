/** Largest body of which it is worth finding out whether the page is small; anything larger is read by itself, in a thread that can be ended (R20). */
export const smallBytes = 256 * 1024

/** Most small pages that are read in step with each other (docs/performance.md). */
export const together = 4
