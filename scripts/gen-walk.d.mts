/** Compiles `walk.wat` and returns its bytes. */
export function compiled(): Promise<Uint8Array>
