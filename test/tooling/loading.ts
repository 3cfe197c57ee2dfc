import type { Script } from 'node:vm'

/** What was compiled of the files of a folder, and when. */
export interface Compiled {
  readonly codes: Map<string, Buffer>
  readonly since: number
}

// Files export what they like.
// eslint-disable-next-line @typescript-eslint/no-explicit-any
type Exports = any
type OnScript = (name: string, script: Script) => void

// What `bin/load.js` exports, in types.
export declare function readCompiled(folder: string): Compiled | null
export declare function writeCompiled(folder: string, scripts: readonly (readonly [string, Script])[]): void
export declare function load(folder: string, name: string): Exports
export declare function loaderOf(folder: string, compiled: Compiled, onScript?: OnScript): (name: string) => Exports
