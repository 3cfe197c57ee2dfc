/**
 * Exits with one sentence on a version of Node that cannot run this project. Imported first; uses old syntax on
 * purpose.
 */
const needed = [20, 19]
const [major, minor] = process.versions.node.split('.').map(Number)
if (major < needed[0] || (major === needed[0] && minor < needed[1])) {
  console.error('Trawl needs Node ' + needed.join('.') + ' or newer; this is Node ' + process.versions.node + '.')
  process.exit(1)
}
