const token = /<<|>>|<[^<>]*>|[[\]]|\((?:\\[\s\S]|[^\\()])*\)|\/[^\s/<>[\]()%]*|[^\s/<>[\]()%]+/g
/** Longest dictionary that is taken apart, in characters. */
const longest = 20_000

/** The entries of a dictionary (PDF 1.7, 7.3.7) as they are written, by key with its slash; those of dictionaries within it are not among them. */
export function entriesOf(dictionary: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  let [depth, key, value] = [0, '', '']
  for (const [part] of dictionary.slice(0, longest).matchAll(token)) {
    const isNested = depth > 1
    depth += part === '<<' || part === '[' ? 1 : part === '>>' || part === ']' ? -1 : 0
    if (depth < 1) {
      if (part === '>>') break
      continue
    }
    if (!isNested && depth === 1 && part.startsWith('/') && (key === '' || value !== '')) {
      if (key !== '') found.set(key, value)
      ;[key, value] = [part, '']
    } else if (key !== '') value += value === '' ? part : ` ${part}`
  }
  if (key !== '') found.set(key, value)
  return found
}

/** The numbers of the objects that a value refers to. */
export const referencesIn = (value: string): number[] => [...value.matchAll(/(?<![\d.])(\d{1,9})\s+\d{1,5}\s+R(?!\w)/g)].map(([, number]) => Number(number))

/** The numbers in an array. */
export const numbersIn = (value: string): number[] => [...value.matchAll(/[-+]?(?:\d+\.?\d*|\.\d+)/g)].map(([number]) => Number(number))
