/**
 * Runs behind the walls, in a network that has nothing but its own loopback: starts a program whose proxy listens there, and carries what
 * it sends to the socket file that is the only way out.
 */
import { spawn } from 'node:child_process'
import { connect, createServer } from 'node:net'

let order = ''
process.stdin.setEncoding('utf8')
for await (const text of process.stdin) order += text
const { username, password, command } = JSON.parse(order)

const server = createServer((client) => {
  const way = connect('/trawl/out')
  for (const [from, to] of [[client, way], [way, client]]) {
    from.on('error', () => to.destroy())
    from.on('close', () => to.destroy())
    from.pipe(to)
  }
})
server.listen(0, '127.0.0.1', () => {
  const proxy = `http://${username}:${password}@127.0.0.1:${server.address().port}`
  const names = ['http_proxy', 'https_proxy', 'all_proxy'].flatMap((name) => [name, name.toUpperCase()])
  const [program, ...args] = command
  const child = spawn(program, args, { stdio: ['ignore', 'inherit', 'ignore'], env: { ...process.env, ...Object.fromEntries(names.map((name) => [name, proxy])) } })
  child.on('error', () => process.exit(127))
  // All that is left of it ends with this process, which is the first of its namespace but one.
  child.on('exit', (code) => process.exit(code ?? 1))
})
