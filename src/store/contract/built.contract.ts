import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import type * as store from '../index.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))

/** The store as it is shipped. */
export interface Built {
  /** URL of the compiled `index.js`. */
  readonly url: string
  readonly module: typeof store
  remove(): Promise<void>
}

/** Compiles the store as the build does: its writer thread runs from compiled files only. Inside the project, so that packages resolve. */
export async function buildStore(): Promise<Built> {
  await mkdir(join(root, '.cache'), { recursive: true })
  const folder = await mkdtemp(join(root, '.cache', 'store-'))
  const project = {
    extends: join(root, 'tsconfig.build.json'),
    compilerOptions: { outDir: folder, rootDir: join(root, 'src'), sourceMap: false, types: ['node'], typeRoots: [join(root, 'node_modules/@types')] },
    files: [join(root, 'src/store/index.ts'), join(root, 'src/store/sqlite/writer-thread.ts')],
    include: [],
  }
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(project))
  await promisify(execFile)(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', folder])
  const url = pathToFileURL(join(folder, 'store/index.js')).href
  const module: typeof store = await import(/* @vite-ignore */ url)
  return { url, module, remove: () => rm(folder, { recursive: true }) }
}
