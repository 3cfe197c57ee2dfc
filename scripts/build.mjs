#!/usr/bin/env node
/** `npm run build`: compiles `src` into `dist`. */
import './lib/node-version.mjs'
import { build } from './lib/build.mjs'
import { install } from './lib/install.mjs'

process.exitCode = (await install()) || (await build())
