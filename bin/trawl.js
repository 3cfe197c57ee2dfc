#!/usr/bin/env node
'use strict'
require('./node-version.js')
// Loading takes a while. A stop meanwhile is as orderly as any, and the first process of a container would not even notice it.
if (process.argv[2] === 'serve') for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.once(signal, () => process.exit(0))

const { existsSync } = require('node:fs')
const { join } = require('node:path')
const { load } = require('./load.js')

// Look-ups of names, files and compression share these threads; four are too few when names hang. Read when the first is needed.
if (process.env.UV_THREADPOOL_SIZE === undefined) process.env.UV_THREADPOOL_SIZE = '16'

const dist = join(__dirname, '..', 'dist')
if (existsSync(join(dist, 'main/cli.js'))) load(dist, 'main/cli.js').main(process.argv)
else {
  console.error('Trawl is not built yet: run `npm run build` in its folder first.')
  process.exitCode = 1
}
