import type * as store from '../index.ts'

const url = new URL('../../../dist/store/index.js', import.meta.url).href

/** The store as it is shipped. */
export interface Built {
  /** The URL of the compiled `index.js`. */
  readonly url: string
  readonly module: typeof store
}

/** The store of the last build: its writer thread only runs compiled files. */
export async function builtStore(): Promise<Built> {
  const module: typeof store = await import(/* @vite-ignore */ url)
  return { url, module }
}
