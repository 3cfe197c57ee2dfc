/** What a tool is asked for on its command line. */
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

/** Ends the process with a sentence that says what is wrong, and how the tool is used. */
function refuse(sentence, usage) {
  console.error(`${sentence}\nUsage: ${usage}`)
  process.exit(1)
}

const isFolder = (path) => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true

function parsed(usage, config) {
  try {
    return parseArgs({ ...config, options: { ...config.options, help: { type: 'boolean', short: 'h' } } })
  } catch (error) {
    if (!String(error.code).startsWith('ERR_PARSE_ARGS')) throw error
    // What follows is advice about arguments that begin with a dash, which no tool has.
    return refuse(error.message.replace(/\. To specify.*/s, '.'), usage)
  }
}

/**
 * The options, and what else was given. A mistake ends the process with one sentence and the usage; `--help` with the usage.
 *
 * @param {string} usage
 * @param {{ options?: import('node:util').ParseArgsConfig['options'], folder?: boolean, sets?: readonly string[], more?: number, needed?: readonly string[], numbers?: readonly string[] }} [what]
 *   `folder`: a folder comes first, and must be there, with the folders `sets` in it; `more`: how many arguments may follow; `needed`: options without which there is nothing to do; `numbers`: those that are positive numbers.
 */
export function argumentsOf(usage, { options = {}, folder = false, sets = [], more = 0, needed = [], numbers = [] } = {}) {
  const { values, positionals } = parsed(usage, { options, allowPositionals: true })
  if (values.help === true) {
    console.log(`Usage: ${usage}`)
    process.exit(0)
  }
  const most = (folder ? 1 : 0) + more
  if (positionals.length > most) refuse(`"${positionals[most]}" is one argument too many.`, usage)
  if (folder && positionals.length === 0) refuse('The name of a folder is missing.', usage)
  if (folder && !isFolder(positionals[0])) refuse(`There is no folder ${positionals[0]}.`, usage)
  for (const set of sets) if (!isFolder(join(positionals[0], set))) refuse(`There is no folder ${set} in ${positionals[0]}.`, usage)
  for (const name of needed) if (values[name] === undefined) refuse(`--${name} is missing.`, usage)
  for (const name of numbers) if (values[name] !== undefined && !(Number(values[name]) > 0)) refuse(`--${name} "${values[name]}" is no positive number.`, usage)
  return { values, positionals }
}
