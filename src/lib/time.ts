/** ISO 8601 with milliseconds and `Z`, from milliseconds since 1970. */
export function isoTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString()
}
