/** A text as a regular expression that matches just it, with the flag `u` or without. */
export const quoted = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
