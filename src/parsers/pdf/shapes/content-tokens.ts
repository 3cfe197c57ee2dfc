/** An operator of a content stream (PDF 1.7, 7.8.2) with the numbers before it, and the last name before it. */
export interface Operation {
  readonly operator: string
  readonly numbers: readonly number[]
  readonly name: string
}

const [open, close, less, greater, slash, percent, backslash] = [0x28, 0x29, 0x3c, 0x3e, 0x2f, 0x25, 0x5c]
/** No operator has more numbers. */
const mostNumbers = 6
const delimiters = new Set([open, close, less, greater, slash, percent, 0x5b, 0x5d, 0x7b, 0x7d])
const isBlank = (byte: number | undefined): boolean => byte !== undefined && byte <= 0x20
const isRegular = (byte: number | undefined): boolean => byte !== undefined && byte > 0x20 && !delimiters.has(byte)

/** Where a string ends that starts at `at`, with its parentheses. */
function endOfString(content: Buffer, at: number): number {
  let depth = 0
  for (let i = at; i < content.length; i++) {
    const byte = content[i]
    if (byte === backslash) i++
    else if (byte === open) depth++
    else if (byte === close && --depth === 0) return i + 1
  }
  return content.length
}

const after = (content: Buffer, sign: string, at: number): number => {
  const found = content.indexOf(sign, at)
  return found < 0 ? content.length : found + sign.length
}

/** Where the next word starts that is an operator, a number or a name, from `at` on: strings and comments are passed over. */
function nextWord(content: Buffer, from: number): number {
  let at = from
  while (at < content.length) {
    const byte = content[at]
    if (byte === open) at = endOfString(content, at)
    else if (byte === percent) at = after(content, '\n', at)
    else if (byte === less && content[at + 1] !== less) at = after(content, '>', at)
    else if (byte === slash || isRegular(byte)) return at
    else at++
  }
  return at
}

/** The operators of a content stream in order, without those that show text. Inline pictures are passed over. */
export function* operationsOf(content: Buffer): Generator<Operation> {
  let numbers: number[] = []
  let name = ''
  let at = nextWord(content, 0)
  while (at < content.length) {
    let end = at + 1
    while (isRegular(content[end])) end++
    const word = content.toString('latin1', at, end)
    const number = Number(word)
    if (word.startsWith('/')) name = word
    else if (Number.isFinite(number)) {
      if (numbers.length === mostNumbers) numbers.shift()
      numbers.push(number)
    } else {
      if (word === 'ID') end = endOfPicture(content, end)
      else if (!word.startsWith('T')) yield { operator: word, numbers, name }
      numbers = []
      name = ''
    }
    at = nextWord(content, end)
  }
}

/** Where the data of an inline picture ends. */
function endOfPicture(content: Buffer, from: number): number {
  for (let at = after(content, 'EI', from); at < content.length; at = after(content, 'EI', at)) if (isBlank(content[at - 3]) && (isBlank(content[at]) || at === content.length)) return at
  return content.length
}
