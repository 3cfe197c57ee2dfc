interface Field {
  instruction: string
  isShown: boolean
  href: string | undefined
}

const maxFields = 50
const maxInstruction = 8_000

/** The fields that are open at a place of the text: what a program was told is not shown, what it made of that is. */
export class Fields {
  readonly #open: Field[] = []

  begin(): void {
    if (this.#open.length < maxFields) this.#open.push({ instruction: '', isShown: false, href: undefined })
  }

  /** What was told ends, and what is shown begins. */
  show(): void {
    const field = this.#open.at(-1)
    if (field === undefined) return
    field.isShown = true
    field.href = addressIn(field.instruction)
  }

  end(): void {
    this.#open.pop()
  }

  /** Text in a field that is not shown. */
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

/** The address that a link leads to, outside of the document. */
function addressIn(instruction: string): string | undefined {
  const address = /^\s*HYPERLINK\s+"([^"]+)"/i.exec(instruction)?.[1]
  const place = /\\l\s+"([^"]+)"/i.exec(instruction)?.[1]
  return address === undefined || place === undefined || address.includes('#') ? address : `${address}#${place}`
}
