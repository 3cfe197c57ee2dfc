import { untilAborted } from './deadline.ts'

/** The other name of `untilAborted`. */
export const inTime = untilAborted
