import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { storeContract } from './contract/store.contract.ts'
import { openStore } from './index.ts'

const folders: string[] = []
const folder = async (): Promise<string> => {
  const made = await mkdtemp(join(tmpdir(), 'trawl-store-'))
  folders.push(made)
  return made
}
afterAll(() => Promise.all(folders.map((path) => rm(path, { recursive: true }))))

let dataDir = ''
storeContract('sqlite', {
  open: async () => openStore({ kind: 'sqlite', dataDir: (dataDir = await folder()) }),
  another: () => openStore({ kind: 'sqlite', dataDir, admin: true }),
})
