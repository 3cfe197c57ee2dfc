#!/usr/bin/env node
/**
 * Generates the tables from the CIDs of the East Asian character collections to Unicode, from Adobe's CMap resources:
 * `node scripts/gen-cid-tables.mjs FOLDER`, where FOLDER is `/usr/share/poppler/cMap` if `poppler-data` is installed.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants } from 'node:zlib'
import { argumentsOf } from './lib/arguments.mjs'

/** The collections in the order of the module, each with its map from Unicode. */
const collections = [['Japan1', 'UniJIS-UTF32-H'], ['GB1', 'UniGB-UTF32-H'], ['CNS1', 'UniCNS-UTF32-H'], ['Korea1', 'UniKS-UTF32-H']]

const entries = (text, name) => [...text.matchAll(new RegExp(`begin${name}\\s([^]*?)end${name}`, 'g'))].map(([, body]) => body).join('\n')
const hex = (digits) => Number.parseInt(digits, 16)

/** Radicals and compatibility characters, which are duplicates of other characters. */
const isCompatible = (letter) => (letter >= 0x2e80 && letter < 0x2fe0) || (letter >= 0xf900 && letter < 0xfb00) || (letter >= 0x2f800 && letter < 0x2fa20)

/** Characters by CID: from the Unicode map first, then from the other maps if they give a single character. */
function lettersOf(folder, collection, unicode) {
  const letters = new Map()
  const add = (cid, letter) => (letters.has(cid) && !isCompatible(letters.get(cid))) || letters.set(cid, letter)
  const from = readFileSync(join(folder, `Adobe-${collection}`, unicode), 'latin1')
  for (const [, first, last, cid] of entries(from, 'cidrange').matchAll(/<(\w+)>\s*<(\w+)>\s*(\d+)/g)) for (let i = hex(first); i <= hex(last); i++) add(Number(cid) + i - hex(first), i)
  for (const [, code, cid] of entries(from, 'cidchar').matchAll(/<(\w+)>\s*(\d+)/g)) add(Number(cid), hex(code))
  const back = readFileSync(join(folder, `Adobe-${collection}`, `Adobe-${collection}-UCS2`), 'latin1')
  for (const [, first, last, letter] of entries(back, 'bfrange').matchAll(/^<(\w+)>\s*<(\w+)>\s*<(\w{4})>\s*$/gm)) for (let i = hex(first); i <= hex(last); i++) add(i, hex(letter) + i - hex(first))
  for (const [, cid, letter] of entries(back, 'bfchar').matchAll(/^<(\w+)>\s*<(\w{4})>\s*$/gm)) add(hex(cid), hex(letter))
  return letters
}

/**
 * The code points as zigzag-encoded differences between successive CIDs, seven bits per byte, after their number in two
 * bytes; code point 0 stands for no character.
 */
function packed(letters) {
  const count = Math.max(...letters.keys()) + 1
  const bytes = [count & 255, count >> 8]
  let before = 0
  for (let cid = 0; cid < count; cid++) {
    const letter = letters.get(cid) ?? 0
    const step = letter - before - 1
    for (let left = step < 0 ? -step * 2 - 1 : step * 2; ; left >>= 7) {
      bytes.push(left > 127 ? (left & 127) | 128 : left)
      if (left <= 127) break
    }
    before = letter
  }
  return Buffer.from(bytes)
}

const { positionals: [folder] } = argumentsOf('node scripts/gen-cid-tables.mjs FOLDER', { folder: true })
const all = Buffer.concat(collections.map(([name, unicode]) => packed(lettersOf(folder, name, unicode))))
const data = brotliCompressSync(all, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }).toString('base64')
// The licence requires its text wherever the tables go: a comment of this kind is kept in compiled code.
const licence = [...readFileSync(join(folder, 'Adobe-Japan1', 'Adobe-Japan1-UCS2'), 'latin1').matchAll(/^%%Copyright: ?(.*)$/gm)].map(([, line]) => line.trim()).filter((line) => !line.startsWith('---'))
writeFileSync(
  new URL('../src/parsers/pdf/letters/cid-data.ts', import.meta.url),
  `/*!
 * Letters of the East Asian character collections by their numbers, made by \`scripts/gen-cid-tables.mjs\` from Adobe's CMap resources:
 *
${licence.map((line) => ` * ${line}`.trimEnd()).join('\n')}
 */
/** Four tables, one after the other, compressed. */
export const data =
  '${data}'
`,
)
