#!/usr/bin/env node
/**
 * Makes the tables of which letter each number of the East Asian character collections is, from Adobe's CMap resources:
 * `node scripts/gen-cid-tables.mjs FOLDER`, which is `/usr/share/poppler/cMap` where `poppler-data` is installed.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants } from 'node:zlib'

/** Collections in the order of the module, each with the map from Unicode. */
const collections = [['Japan1', 'UniJIS-UTF32-H'], ['GB1', 'UniGB-UTF32-H'], ['CNS1', 'UniCNS-UTF32-H'], ['Korea1', 'UniKS-UTF32-H']]

const entries = (text, name) => [...text.matchAll(new RegExp(`begin${name}\\s([^]*?)end${name}`, 'g'))].map(([, body]) => body).join('\n')
const hex = (digits) => Number.parseInt(digits, 16)

/** Radicals and other doubles, which stand for letters that have codes of their own. */
const isCompatible = (letter) => (letter >= 0x2e80 && letter < 0x2fe0) || (letter >= 0xf900 && letter < 0xfb00) || (letter >= 0x2f800 && letter < 0x2fa20)

/** Letters by number: those of the map from Unicode first, others where they stand for one letter. */
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

/** The letters by number as differences from one to the next, in bytes of seven bits; a zero byte's worth of letter is none. */
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

const [folder] = process.argv.slice(2)
if (folder === undefined) throw new Error('Say where the CMap resources are.')
const all = Buffer.concat(collections.map(([name, unicode]) => packed(lettersOf(folder, name, unicode))))
const data = brotliCompressSync(all, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }).toString('base64')
// Its licence asks for its text wherever the tables go: a comment of this kind stays in what is compiled.
const licence = [...readFileSync(join(folder, 'Adobe-Japan1', 'Adobe-Japan1-UCS2'), 'latin1').matchAll(/^%%Copyright: ?(.*)$/gm)].map(([, line]) => line.trim()).filter((line) => !line.startsWith('---'))
writeFileSync(
  new URL('../src/parsers/pdf/cid-data.ts', import.meta.url),
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
