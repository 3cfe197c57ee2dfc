#!/usr/bin/env node
/** Checks import borders and conventions: `node scripts/check-borders.mjs [--root folder] [--json] [--warnings]`. */
import { dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { argumentsOf } from './lib/arguments.mjs'
import { checkTree } from './lib/borders.mjs'

const { values } = argumentsOf('node scripts/check-borders.mjs [--root FOLDER] [--json] [--warnings]', { options: { root: { type: 'string' }, json: { type: 'boolean' }, warnings: { type: 'boolean' } } })
const root = resolve(values.root ?? dirname(dirname(fileURLToPath(import.meta.url))))
const findings = checkTree(root)
const errors = findings.filter((finding) => finding.level === 'error')
const warnings = findings.filter((finding) => finding.level === 'warning')

if (values.json) console.log(JSON.stringify(findings))
else {
  const shown = values.warnings ? findings : [...errors, ...warnings.slice(0, 15)]
  for (const { path, line, rule, message, level } of shown) console.log(`${path}:${line}  ${level}  ${rule}: ${message}`)
  if (warnings.length > 15 && !values.warnings) console.log(`and ${warnings.length - 15} more warnings (--warnings shows them)`)
  console.log(`${errors.length} errors, ${warnings.length} warnings`)
}
process.exitCode = errors.length > 0 ? 1 : 0
