import { v7 } from 'uuid'

/** A new id: a UUID of version 7 (RFC 9562 §5.7), so that what is made at one time lies side by side in every index of ids. */
export const newId = (): string => v7()
