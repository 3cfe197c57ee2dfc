/** False for a file that is not there; anything else is a fault and goes on. */
export function missing(error: unknown): false {
  if (hasCode(error, 'ENOENT')) return false
  throw error
}

/** Whether it is an error of the file system with one of these codes. */
export function hasCode(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof Error && 'code' in error && codes.some((code) => code === error.code)
}
