/** The only source of time for all decisions; tests move it by hand. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number
}
