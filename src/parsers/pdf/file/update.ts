/** How far after the start of a cross-reference section its dictionary may end, in bytes. */
const reach = 4_000

/**
 * A file with some objects replaced by an update at its end (PDF 1.7, 7.5.6), as a program that changes a file saves it;
 * null when its last cross-reference section cannot be read.
 */
export function withObjects(bytes: Buffer, objects: ReadonlyMap<number, Buffer>): Buffer | null {
  const last = /startxref\s+(\d+)/.exec(bytes.toString('latin1', Math.max(0, bytes.lastIndexOf('startxref'))))?.[1]
  if (last === undefined) return null
  const section = Number(last)
  const from = bytes.toString('latin1', section, section + 4) === 'xref' ? bytes.indexOf('trailer', section) : section
  const head = from < 0 ? '' : bytes.toString('latin1', from, from + reach)
  const [root, info] = ['Root', 'Info'].map((name) => new RegExp(`/${name}\\s+\\d+\\s+\\d+\\s+R`).exec(head)?.[0])
  const size = Number(/\/Size\s+(\d+)/.exec(head)?.[1])
  if (root === undefined || !Number.isSafeInteger(size)) return null

  const parts: Buffer[] = [bytes, Buffer.from('\n')]
  let place = bytes.length + 1
  const add = (number: number, body: Buffer): string => {
    const part = Buffer.concat([Buffer.from(`${number} 0 obj\n`), body, Buffer.from('\nendobj\n')])
    const row = `01${place.toString(16).padStart(8, '0')}00`
    parts.push(part)
    place += part.length
    return row
  }
  const rows = [...objects].map(([number, body]) => add(number, body))
  const start = place
  const index = [...objects.keys()].map((number) => `${number} 1`).join(' ')
  // The table is hexadecimal, so that all of the update is text.
  add(size, Buffer.from(`<< /Type /XRef /Size ${size + 1} ${root} ${info ?? ''} /Prev ${last} /W [1 4 1] /Index [${index}] /Filter /ASCIIHexDecode /Length ${rows.length * 12 + 1} >>\nstream\n${rows.join('')}>\nendstream`))
  parts.push(Buffer.from(`startxref\n${start}\n%%EOF\n`))
  return Buffer.concat(parts)
}
