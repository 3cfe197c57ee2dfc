/**
 * Milliseconds of a clock that nobody sets, near the time of day: for pauses and windows that last as long as they are
 * said to, also when the system's clock is set back meanwhile. Whole ones, since times in the store are.
 */
export const steadyNow = (): number => Math.floor(performance.timeOrigin + performance.now())
