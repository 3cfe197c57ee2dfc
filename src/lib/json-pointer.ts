/** A JSON pointer (RFC 6901) extended by one step. */
export const pointed = (pointer: string, key: string | number): string => `${pointer}/${String(key).replace(/~/g, '~0').replace(/\//g, '~1')}`

/** The key that one step of a JSON pointer names. */
export const keyIn = (step: string): string => step.replace(/~1/g, '/').replace(/~0/g, '~')

/** The keys on the way from the whole value to the one that a JSON pointer names. */
export const keysOf = (pointer: string): readonly string[] => pointer.split('/').slice(1).map(keyIn)
