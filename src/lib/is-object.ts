/** An object of JSON whose members are yet unknown. */
export type JsonObject = Readonly<Record<string, unknown>>

/** Whether a value is an object as JSON means it: no list, not null. */
export const isObject = (value: unknown): value is JsonObject => typeof value === 'object' && value !== null && !Array.isArray(value)
