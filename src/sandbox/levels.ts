import type { LanguageLevel, SandboxLevels } from '../domain/sessions/sandbox.ts'
import type { Python } from './tools.ts'
import type { Site } from './walls.ts'

const commands: LanguageLevel = { level: 'commands', reason: 'commands are read by the service; no shell runs', missing: false }

const pythonWords = ({ python, how }: { readonly python: Python; readonly how: string }): string => `Python ${python.version}, ${how}`

/**
 * The levels of confinement by what was found and what the operator decided: confined where possible; otherwise off, unless
 * the operator allows unconfined code.
 */
export function levelsOf(site: Omit<Site, 'uid'> | { readonly why: string }, python: { readonly python: Python; readonly how: string } | null, unsafe: boolean): SandboxLevels {
  const walls = 'why' in site ? null : `bubblewrap, ${site.root ? 'as a user without rights' : 'in a user namespace'}`
  const off = (why: string): LanguageLevel => ({ level: 'off', reason: why, missing: false })
  const bare: LanguageLevel = { level: 'trusted', reason: 'TRAWL_UNSAFE_CODE_EXECUTION=on: code runs without walls', missing: false }
  const confinedHere: LanguageLevel | null = walls === null ? null : { level: 'os', reason: walls, missing: false }
  const why = 'why' in site ? site.why : ''
  const noPython: LanguageLevel = { level: 'off', reason: 'no Python 3.8 or newer was found', missing: true }
  return {
    node: confinedHere ?? (unsafe ? bare : { level: 'interpreter', reason: `a small interpreter without the driver's full interface, as ${why}`, missing: false }),
    python: python === null ? noPython : confinedHere !== null ? { ...confinedHere, reason: `${walls}; ${pythonWords(python)}` } : unsafe ? { ...bare, reason: `${bare.reason}; ${pythonWords(python)}` } : off(why),
    bash: commands,
  }
}
