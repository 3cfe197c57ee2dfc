import { randomUUID } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { access, chmod, lstat, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createBrotliDecompress } from 'node:zlib'
import { isPassable } from './folders.ts'
import { unpackTar } from './tar.ts'

/** The Chromium of a registry package, unpacked. */
export interface Packaged {
  readonly program: string
  /** Libraries for systems that lack them; to be put into LD_LIBRARY_PATH only there. */
  readonly libraries: string
  /** Font configuration for systems that have none. */
  readonly fonts: string
}

const packageName = '@sparticuz/chromium'
/** Where root unpacks it when the requested folder is inside a private one. */
const rootCache = '/var/cache/trawl'
const manifestName = 'manifest.json'
const fontSettings = (folder: string) => `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir>${folder}/fonts</dir><dir>/usr/share/fonts</dir><cachedir prefix="xdg">fontconfig</cachedir></fontconfig>
`

/** Where the archives are; null when the package is not installed or has none for this platform. */
async function archives(): Promise<{ readonly folder: string; readonly version: string } | null> {
  if (process.platform !== 'linux' || process.arch !== 'x64') return null
  try {
    const entry = createRequire(import.meta.url).resolve(packageName)
    const root = dirname(dirname(dirname(entry)))
    await access(join(root, 'bin', 'chromium.br'))
    const about: unknown = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
    const version = typeof about === 'object' && about !== null && 'version' in about ? String(about.version) : 'unknown'
    return { folder: join(root, 'bin'), version }
  } catch {
    // It is an optional dependency, so this is normal.
    return null
  }
}

/** File sizes below a folder, by path: a later start compares them. */
async function sizes(folder: string): Promise<Record<string, number>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile() && entry.name !== manifestName).map((entry) => join(entry.parentPath, entry.name))
  return Object.fromEntries(await Promise.all(files.sort().map(async (path) => [path.slice(folder.length + 1), (await stat(path)).size])))
}

async function isWhole(folder: string): Promise<boolean> {
  try {
    return (await readFile(join(folder, manifestName), 'utf8')) === JSON.stringify(await sizes(folder))
  } catch {
    // Missing or incomplete: unpack it again.
    return false
  }
}

async function unpackInto(folder: string, source: string, finalPlace: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o755 })
  await pipeline(createReadStream(join(source, 'chromium.br')), createBrotliDecompress({ chunkSize: 1 << 20 }), createWriteStream(join(folder, 'chromium'), { mode: 0o755 }))
  for (const name of ['al2023.tar.br', 'fonts.tar.br', 'swiftshader.tar.br']) await unpackTar(join(source, name), folder)
  await writeFile(join(folder, 'fonts.conf'), fontSettings(finalPlace), { mode: 0o644 })
  await writeFile(join(folder, manifestName), JSON.stringify(await sizes(folder)), { mode: 0o644 })
}

/** Creates a folder; throws when other users could put programs into it. */
async function ownFolder(path: string, mode: number): Promise<void> {
  await mkdir(path, { recursive: true, mode })
  const found = await lstat(path)
  if (!found.isDirectory() || found.uid !== process.getuid?.()) throw new Error('the cache folder belongs to another user')
  await chmod(path, mode)
}

/**
 * Unpacks the packaged Chromium below the requested folder, once for all processes. It is unpacked into a temporary folder
 * and then renamed, so nobody sees a part of it, and of two concurrent starts one wins. Null when there is nothing to
 * unpack. Throws when the disk does not allow it.
 */
export async function packagedChromium(wanted: string): Promise<Packaged | null> {
  const source = await archives()
  if (source === null) return null
  // Root starts Chromium as another user, who must be able to traverse the folder; nobody else needs to.
  const root = process.getuid?.() === 0
  const cacheDir = root && !(await isPassable(dirname(wanted))) ? rootCache : wanted
  await ownFolder(cacheDir, root ? 0o711 : 0o700)
  const folder = join(cacheDir, `chromium-${source.version}`)
  if (!(await isWhole(folder))) await replace(folder, source.folder)
  return { program: join(folder, 'chromium'), libraries: join(folder, 'lib'), fonts: join(folder, 'fonts.conf') }
}

async function replace(folder: string, source: string): Promise<void> {
  const fresh = `${folder}.${randomUUID()}`
  try {
    await unpackInto(fresh, source, folder)
    if (await isWhole(folder)) return
    // Broken, for instance by a full disk. Processes that run from it keep their open files.
    await rename(folder, `${fresh}.old`).catch(() => undefined)
    await rename(fresh, folder).catch(async (error: unknown) => {
      // Another process was faster; its copy is just as good.
      if (!(await isWhole(folder))) throw error
    })
  } finally {
    await rm(fresh, { recursive: true, force: true })
    await rm(`${fresh}.old`, { recursive: true, force: true })
  }
}
