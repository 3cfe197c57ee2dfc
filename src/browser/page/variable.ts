/**
 * An expression for a variable of ours in the isolated world of a document. Elements answer to the names of global variables, in every world;
 * none answers to a symbol.
 */
export const variable = (name: string): string => `globalThis[Symbol.for('${name}')]`
