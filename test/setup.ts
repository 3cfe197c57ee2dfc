/**
 * Runs before every test file. From then on, code that connects beyond loopback gets an error, and the test fails even
 * if the code under test swallows the error. Programs that a test starts are not covered.
 */
import dgram from 'node:dgram'
import dns from 'node:dns'
import { syncBuiltinESMExports } from 'node:module'
import net from 'node:net'
import { afterAll, afterEach } from 'vitest'
import { isLoopback } from './loopback.ts'
import { endServices } from './service.ts'

const reached: string[] = []

function refuse(what: string): never {
  reached.push(what)
  throw new Error(`A test reached for the network: ${what}. Only loopback is allowed; use test/site or pass a fake.`)
}

/** Wraps methods of a module or class so that `check` sees their arguments first. */
function fence(target: object, names: readonly string[], check: (args: readonly unknown[], self: unknown) => void): void {
  for (const name of names) {
    const original: unknown = Reflect.get(target, name)
    if (typeof original !== 'function') continue
    Reflect.set(target, name, function (this: unknown, ...args: unknown[]): unknown {
      check(args, this)
      return Reflect.apply(original, this, args)
    })
  }
}

/** The host in the arguments of `connect`; undefined for pipes and for the default, which is this machine. */
function hostOf(args: readonly unknown[]): unknown {
  // `net.connect` passes its arguments on as one array.
  const [first, second]: readonly unknown[] = Array.isArray(args[0]) ? args[0] : args
  if (typeof first === 'object' && first !== null) return Reflect.get(first, 'path') === undefined ? Reflect.get(first, 'host') : undefined
  return typeof first === 'number' && typeof second === 'string' ? second : undefined
}

fence(net.Socket.prototype, ['connect'], (args) => {
  const host = hostOf(args)
  if (host !== undefined && host !== null && !isLoopback(String(host))) refuse(`connection to ${String(host)}`)
})

fence(dgram.Socket.prototype, ['connect', 'send'], (args) => {
  const host = args.findLast((arg) => typeof arg === 'string' && arg !== args[0])
  if (typeof host === 'string' && !isLoopback(host)) refuse(`datagram to ${host}`)
})

function checkName(args: readonly unknown[]): void {
  if (!isLoopback(String(args[0]))) refuse(`look-up of ${String(args[0])}`)
}

fence(dns, ['lookup'], checkName)
fence(dns.promises, ['lookup'], checkName)

const questions = ['resolve', 'resolve4', 'resolve6', 'resolveAny', 'resolveCaa', 'resolveCname', 'resolveMx', 'resolveNaptr', 'resolveNs', 'resolvePtr', 'resolveSoa', 'resolveSrv', 'resolveTxt', 'reverse']

/** Refuses a query unless all its name servers are on loopback: a test may run its own. */
function checkServers(servers: readonly string[], name: unknown): void {
  const far = servers.find((server) => !isLoopback(server.replace(/^\[(.*)\](:\d+)?$/, '$1').replace(/^([\d.]+):\d+$/, '$1')))
  if (servers.length === 0 || far !== undefined) refuse(`look-up of ${String(name)} at ${far ?? 'no server'}`)
}

fence(dns, questions, (args) => checkServers(dns.getServers(), args[0]))
fence(dns.promises, questions, (args) => checkServers(dns.getServers(), args[0]))
for (const resolver of [dns.Resolver, dns.promises.Resolver]) {
  fence(resolver.prototype, questions, (args, self) => checkServers(self instanceof resolver ? self.getServers() : [], args[0]))
}
syncBuiltinESMExports()

afterEach(() => {
  const list = reached.splice(0)
  if (list.length > 0) throw new Error(`This test reached for the network: ${list.join(', ')}`)
})

afterAll(endServices)
