#!/usr/bin/env node
/** `npm run build`: compiles `src` into `dist`. */
import '../bin/node-version.js'
import { build } from './lib/build.mjs'
import { install } from './lib/install.mjs'

process.exitCode = (await install()) || (await build())
