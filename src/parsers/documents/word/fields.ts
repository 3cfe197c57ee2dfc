interface Field {
  instruction: string
  isShown: boolean
  href: string | undefined
}

const maxFields = 50
const maxInstruction = 8_000

/** The fields that are open at a position in the text. Their instructions are hidden, their results are shown. */
export class Fields {
  readonly #open: Field[] = []

  begin(): void {
    if (this.#open.length < maxFields) this.#open.push({ instruction: '', isShown: false, href: undefined })
  }

  /** Ends the instruction of a field; its result follows. */
  show(): void {
    const field = this.#open.at(-1)
    if (field === undefined) return
    field.isShown = true
    field.href = addressIn(field.instruction)
  }

  end(): void {
    this.#open.pop()
  }

  /** Adds text to a field's instruction. */
  tell(text: string): void {
    const field = this.#open.at(-1)
    if (field !== undefined && field.instruction.length < maxInstruction) field.instruction += text
  }

  get isHidden(): boolean {
    return this.#open.some((field) => !field.isShown)
  }

  get href(): string | undefined {
    return this.#open.findLast((field) => field.href !== undefined)?.href
  }
}

/** The external address of a link instruction; undefined for others. */
function addressIn(instruction: string): string | undefined {
  const address = /^\s*HYPERLINK\s+"([^"]+)"/i.exec(instruction)?.[1]
  const place = /\\l\s+"([^"]+)"/i.exec(instruction)?.[1]
  return address === undefined || place === undefined || address.includes('#') ? address : `${address}#${place}`
}
