import { readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { nearest } from '../../lib/nearest.ts'
import type { Setting } from './setting-kinds.ts'
import { type SettingName, settings } from './settings.ts'

/** The effective settings: every name of the table, parsed. */
export type Config = { readonly [N in SettingName]: ReturnType<(typeof settings)[N]['read']> }

/** Texts by name, like an environment. */
export type Environment = Readonly<Record<string, string | undefined>>

/** An unusable setting, in one sentence that names it. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

/** The environment of this process; nothing else reads it. */
export const environment = (): Environment => process.env

/** The folders in which programs of the user are looked for. */
export const searchPath = (): readonly string[] => (environment()['PATH'] ?? '').split(':').filter((folder) => folder !== '')

/** What Debian calls the home of a user who has none. */
const nowhere = '/nonexistent'

/** The home of the user that runs this process; null without one. */
export function homeOf(system: () => string = homedir): string | null {
  try {
    const home = system()
    return home === '' || home === nowhere ? null : home
  } catch {
    // The user is a mere number, as in many containers. Playwright asks as well, and does not load without an answer.
    process.env['HOME'] = nowhere
    return null
  }
}

const entries = Object.entries(settings) as [SettingName, Setting][] // keys of the table

/**
 * The text of a setting: its variable, or (secrets only) the file that its `_FILE` variable names. Empty counts as not set.
 */
function textOf(name: SettingName, setting: Setting, env: Environment): string | undefined {
  const file = setting.secret ? env[`${name}_FILE`] : undefined
  const own = env[name] || undefined
  if (file === undefined || file === '') return own ?? (name === 'TRAWL_DATABASE_URL' ? env['DATABASE_URL'] || undefined : undefined)
  if (own !== undefined) throw new ConfigError(`Set ${name} or ${name}_FILE, not both.`)
  const text = contentOf(file, name)
  // An empty secret would open what it is meant to close.
  if (text === '') throw new ConfigError(`The file that ${name}_FILE names is empty.`)
  return text
}

function contentOf(file: string, name: string): string {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch {
    throw new ConfigError(`The file that ${name}_FILE names cannot be read.`)
  }
}

const bare = (name: string): string => name.slice('TRAWL_'.length)

/**
 * The setting that an unknown name may mean: a typing error, or a word too many or too few. The common prefix is ignored.
 */
function meant(unknown: string, names: readonly string[]): string | null {
  const near = nearest(bare(unknown), names.map(bare))
  if (near !== null) return `TRAWL_${near}`
  const words = bare(unknown).split('_')
  const within = (some: readonly string[], all: readonly string[]): boolean => some.length > 1 && some.every((word) => all.includes(word))
  return names.find((name) => within(words, bare(name).split('_')) || within(bare(name).split('_'), words)) ?? null
}

function refuseUnknown(env: Environment): void {
  const names = entries.flatMap(([name, setting]) => (setting.secret ? [name, `${name}_FILE`] : [name]))
  const unknown = Object.keys(env).find((name) => name.startsWith('TRAWL_') && !names.includes(name as SettingName)) // membership test only
  if (unknown === undefined) return
  const unfiled = unknown.replace(/_FILE$/, '')
  if (names.includes(unfiled)) throw new ConfigError(`Unknown setting ${unknown}; did you mean ${unfiled}? Only secrets are read from files.`)
  const near = meant(unknown, names)
  throw new ConfigError(`Unknown setting ${unknown}${near === null ? '; "trawl config" lists them all.' : `; did you mean ${near}?`}`)
}

/** Reads every setting. Throws `ConfigError` with one sentence for an unknown name or an unusable value. */
export function loadConfig(env: Environment): Config {
  refuseUnknown(env)
  const values = entries.map(([name, setting]) => {
    const text = textOf(name, setting, env)
    try {
      return [name, setting.read(text)]
    } catch (error) {
      throw new ConfigError(`${name} ${error instanceof Error ? error.message : 'cannot be used'}.`)
    }
  })
  return Object.fromEntries(values) as Config // one value per row of the table, as its reader returned it
}

const mask = (value: string): string => (value === '' ? '' : '********')

/** The effective settings as lines of text, with secrets masked. */
export function describeConfig(env: Environment): string {
  loadConfig(env)
  return entries
    .map(([name, setting]) => {
      const text = textOf(name, setting, env)
      const shown = text === undefined ? setting.shown : setting.secret ? mask(text) : text
      return `${name}=${shown}${text === undefined ? '  (default)' : ''}`
    })
    .join('\n')
}
