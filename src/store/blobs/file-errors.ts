/** False for a missing file; any other error is thrown. */
export function missing(error: unknown): false {
  if (hasCode(error, 'ENOENT')) return false
  throw error
}

/** Whether it is a file system error with one of these codes. */
export function hasCode(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof Error && 'code' in error && codes.some((code) => code === error.code)
}
