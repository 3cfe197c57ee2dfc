'use strict'
// Ends a version of Node that cannot run this project with one sentence. Loaded before all else, by the scripts too; like `trawl.js`, it
// uses old syntax on purpose.
const needed = [20, 19]

/** What is wrong with a version of Node; null if nothing is. */
exports.refusal = (version) => {
  const parts = version.split('.').map(Number)
  if (parts[0] > needed[0] || (parts[0] === needed[0] && parts[1] >= needed[1])) return null
  return 'Trawl needs Node ' + needed.join('.') + ' or newer; this is Node ' + version + '.'
}

const wrong = exports.refusal(process.versions.node)
if (wrong !== null) {
  console.error(wrong)
  process.exit(1)
}
