/** The only source of time for everything that decides; tests move it by hand. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number
}
