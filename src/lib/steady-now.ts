/**
 * Milliseconds of a clock that nobody sets, near the time of day: for pauses and windows that last as long as they are
 * said to, also when the system's clock is set back meanwhile.
 */
export const steadyNow = (): number => performance.timeOrigin + performance.now()
