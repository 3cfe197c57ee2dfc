/** A JSON object whose members are not known yet. */
export type JsonObject = Readonly<Record<string, unknown>>

/** Whether a value is a JSON object: not a list, not null. */
export const isObject = (value: unknown): value is JsonObject => typeof value === 'object' && value !== null && !Array.isArray(value)
