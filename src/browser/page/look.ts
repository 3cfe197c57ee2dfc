import type { Look } from '../../domain/pages/look.ts'
import { lookScript } from './look-script.ts'
import type { Tab } from './tab.ts'
import { GoneError, StuckError } from './world.ts'

const maxElements = 5_000

/**
 * Measures what the page looks like, in the isolated world; undefined when its thread stays busy, when it navigates, or when
 * its scripts have removed all of it.
 */
export async function lookAt({ world }: Tab, limitMs: number): Promise<Look | undefined> {
  try {
    return await world.evaluate<Look | undefined>(`Reflect.get(Document.prototype, 'documentElement', document) === null ? undefined : ${lookScript({ ms: limitMs / 2, maxElements })}`, limitMs)
  } catch (error) {
    if (error instanceof StuckError || error instanceof GoneError) return undefined
    throw error
  }
}
