#!/usr/bin/env node
/** `npm run up`: from a bare checkout to a running service. Installs and builds only what is missing or out of date. */
import '../bin/node-version.js'
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { buildIfStale } from './lib/build.mjs'
import { install } from './lib/install.mjs'
import { exitCode, root } from './lib/run.mjs'

const failed = (await install()) || (await buildIfStale())
if (failed) process.exit(failed)

const service = spawn(process.execPath, [join(root, 'bin/trawl.js'), 'serve', '--first-run', ...process.argv.slice(2)], { cwd: root, stdio: 'inherit' })

for (const signal of ['SIGTERM', 'SIGHUP', 'SIGINT']) {
  process.on(signal, () => {
    // Ctrl-C reaches every program of the terminal, so the service already has the signal; a second one would interrupt
    // its shutdown.
    if (signal === 'SIGINT' && process.stdin.isTTY) return
    service.kill(signal)
  })
}
// npm sends a signal to the shell between it and this process, and the shell ends without passing it on: treat the end
// of the shell as the signal.
if (process.env.npm_lifecycle_event !== undefined) {
  const parent = process.ppid
  setInterval(() => {
    if (process.ppid !== parent) service.kill('SIGTERM')
  }, 250).unref()
}
service.once('error', (error) => {
  console.error(`The service could not be started: ${error.message}`)
  process.exitCode = 1
})
service.once('exit', (code, signal) => {
  process.exitCode = exitCode(code, signal)
})
