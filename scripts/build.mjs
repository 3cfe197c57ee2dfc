#!/usr/bin/env node
/** `npm run build`: compiles `src` into `dist`. */
import '../bin/node-version.js'
import { argumentsOf } from './lib/arguments.mjs'
import { build } from './lib/build.mjs'
import { install } from './lib/install.mjs'

argumentsOf('npm run build')
process.exitCode = (await install()) || (await build())
