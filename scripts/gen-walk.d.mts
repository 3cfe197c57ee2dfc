/** The bytes of `walk.wat`, compiled. */
export function compiled(): Promise<Uint8Array>
