#!/usr/bin/env node
/**
 * Draws pages whose facts have not been noted yet: `node scripts/draw-facts.mjs CORPUS --seed TEXT --each
 * article=23,product=9 [--round N]`. With `--round`, that round and later ones count as not noted yet.
 * The pages of a kind are ordered by the SHA-256 of seed and id, so that the seed determines the draw and nobody
 * chooses.
 */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import { argumentsOf } from './lib/arguments.mjs'

const { values, positionals } = argumentsOf('node scripts/draw-facts.mjs CORPUS --seed TEXT --each article=23,product=9 [--round N]', { folder: true, sets: ['wcxb'], needed: ['seed', 'each'], numbers: ['round'], options: { seed: { type: 'string' }, each: { type: 'string' }, round: { type: 'string', default: 'Infinity' } } })
const [corpus] = positionals
const kinds = { article: 'article', documentation: 'article', forum: 'forum', listing: 'listing', collection: 'listing', product: 'product', service: 'service' }
const noted = new Set(JSON.parse(readFileSync(new URL('./facts/pages.json', import.meta.url))).filter(({ round = 1 }) => round < Number(values.round)).map(({ id }) => id))
const place = (id) => createHash('sha256').update(`${values.seed}:${id}`).digest('hex')

const folder = join(corpus, 'wcxb')
const pages = readdirSync(folder).filter((name) => name.endsWith('.jsonl.br')).sort()
  .flatMap((name) => brotliDecompressSync(readFileSync(join(folder, name))).toString('utf8').split('\n').filter((line) => line !== '').map((line) => JSON.parse(line)))
for (const part of values.each.split(',')) {
  const [kind, count] = part.split('=')
  const ids = pages.filter(({ id, type }) => kinds[type] === kind && !noted.has(id)).map(({ id }) => id).sort((a, b) => (place(a) < place(b) ? -1 : 1)).slice(0, Number(count))
  console.log(`${kind} ${ids.sort().join(',')}`)
}
