import { Pictures } from '../html.ts'

/** The kinds of pictures that browsers show; the others are metafiles and bitmaps of Windows and of old Macs. */
const kinds: Readonly<Record<string, string>> = { pngblip: 'png', jpegblip: 'jpeg' }
/** A picture of more letters, two for a byte, is none that is kept. */
const maxLetters = 1_000_000

/** A drawn shape: its picture stands among its properties, and its description before or after it. */
interface Shape {
  readonly depth: number
  alt: string
  picture: (() => string) | undefined
}

/** Builds the pictures of a file from the words and data of their groups. */
export class RtfPictures {
  readonly #all = new Pictures()
  readonly #shapes: Shape[] = []
  #kind = ''
  #alt = ''
  #data: string[] = []
  #letters = 0
  #name = ''
  #value = ''

  /** Begins a picture. */
  start(): void {
    this.#kind = ''
    this.#alt = ''
    this.#data = []
    this.#letters = 0
  }

  word(word: string): void {
    this.#kind = kinds[word] ?? this.#kind
  }

  /** Adds data of the picture, in hexadecimal. */
  add(letters: string): void {
    this.#letters += letters.length
    if (this.#letters <= maxLetters) this.#data.push(letters)
  }

  /** Adds data of the picture as they are, a byte for a letter. */
  addBytes(bytes: string): void {
    if (bytes.length <= maxLetters / 2) this.add(Buffer.from(bytes, 'latin1').toString('hex'))
    else this.#letters += bytes.length * 2
  }

  startProperty(): void {
    this.#name = ''
    this.#value = ''
  }

  addName(text: string): void {
    this.#name += text
  }

  addValue(text: string): void {
    this.#value += text
  }

  /** Ends a property of the picture, or of the innermost shape. */
  endProperty(isOfPicture: boolean): void {
    if (this.#name.trim() !== 'wzDescription') return
    const shape = this.#shapes.at(-1)
    if (isOfPicture) this.#alt = this.#value
    else if (shape !== undefined) shape.alt = this.#value
  }

  /** Whether the property whose value begins is the picture that a shape shows: it may have others, to fill it. */
  get isShown(): boolean {
    return this.#name.trim() === 'pib' && this.#shapes.length > 0
  }

  startShape(depth: number): void {
    this.#shapes.push({ depth, alt: '', picture: undefined })
  }

  /** Ends the shape of the group at that depth; its picture as HTML, or ''. */
  endShape(depth: number): string {
    return this.#shapes.at(-1)?.depth === depth ? (this.#shapes.pop()?.picture?.() ?? '') : ''
  }

  /** Keeps the picture for its shape. */
  keep(): void {
    const shape = this.#shapes.at(-1)
    if (shape === undefined) return
    const [kind, data] = [this.#kind, this.#data]
    const letters = this.#letters
    shape.picture = () => this.#written({ kind, data, letters, alt: shape.alt })
  }

  /** Ends the picture; as HTML, '' where nothing is shown. */
  take(): string {
    return this.#written({ kind: this.#kind, data: this.#data, letters: this.#letters, alt: this.#alt })
  }

  #written({ kind, data, letters, alt }: { readonly kind: string; readonly data: readonly string[]; readonly letters: number; readonly alt: string }): string {
    if (letters === 0) return ''
    return this.#all.html(kind, letters > maxLetters ? undefined : Buffer.from(data.join('').replace(/[^\da-f]/gi, ''), 'hex'), alt)
  }

  warnings(): string[] {
    return this.#all.warnings()
  }
}
