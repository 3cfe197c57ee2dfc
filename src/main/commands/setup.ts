import { setupBrowser } from '../../browser/index.ts'
import { findOptions } from '../parts/browser.ts'
import { type Config, ConfigError } from '../settings/config.ts'

/**
 * `trawl setup browser`: installs a Chromium when none works yet. Throws when none could be installed, and `ConfigError`
 * for another part.
 */
export async function setup(part: string, config: Config): Promise<void> {
  if (part !== 'browser') throw new ConfigError(`There is nothing to set up that is called "${part}"; "trawl setup browser" brings a browser.`)
  const { found, steps } = await setupBrowser(findOptions(config))
  for (const step of steps) console.log(step)
  if (found === null) throw new ConfigError('No browser could be set up; what does not need one works all the same.')
  console.log(`Ready: ${found.version}.`)
}
