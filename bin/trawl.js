#!/usr/bin/env node
import { existsSync } from 'node:fs'

// Look-ups of names, files and compression share these threads; four are too few when names hang. Read when the first is needed.
process.env.UV_THREADPOOL_SIZE ??= '16'

const entry = new URL('../dist/main/cli.js', import.meta.url)
if (existsSync(entry)) await (await import(entry.href)).main(process.argv)
else {
  console.error('Trawl is not built yet: run `npm run build` in its folder first.')
  process.exitCode = 1
}
