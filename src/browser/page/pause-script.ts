/** A pause of so many milliseconds in the isolated world: timers never fire there in a document that may not run scripts. */
export const pause = '((ms) => scheduler.postTask(() => undefined, { delay: ms }))'
