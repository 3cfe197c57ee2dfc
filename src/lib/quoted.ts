/** Escapes a text for use in a regular expression, with the flag `u` or without. */
export const quoted = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
