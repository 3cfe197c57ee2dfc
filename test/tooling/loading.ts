import type { Script } from 'node:vm'

/** The cached code of the files of a folder, and when it was compiled. */
export interface Compiled {
  readonly codes: Map<string, Buffer>
  readonly since: number
}

// Files export anything.
// eslint-disable-next-line @typescript-eslint/no-explicit-any
type Exports = any
type OnScript = (name: string, script: Script) => void

// The types of what `bin/load.js` exports.
export declare function readCompiled(folder: string): Compiled | null
export declare function writeCompiled(folder: string, scripts: readonly (readonly [string, Script])[]): void
export declare function load(folder: string, name: string): Exports
export declare function loaderOf(folder: string, compiled: Compiled, onScript?: OnScript): (name: string) => Exports
