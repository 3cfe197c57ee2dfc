import { operationsOf } from './content-tokens.ts'
import type { Drawing, PageStream } from './page-streams.ts'

/** The box of a part of a drawing, in points. */
export interface Shape {
  readonly left: number
  readonly bottom: number
  readonly right: number
  readonly top: number
  /** Whether it has curves, as dots have, or is a small drawing of its own. */
  readonly isRound: boolean
}

/** Most shapes of a page, points of a shape, and bytes of content with those of forms: what is beyond is not for reading. */
const [mostShapes, mostPoints, mostBytes] = [20_000, 200, 1_000_000]
/** Forms within forms, and the largest form that is one shape, in points. */
const [mostDepth, smallest] = [4, 12]

type Matrix = readonly number[]
type Point = readonly [x: number, y: number]

/** One transformation after another. */
function times([a = 1, b = 0, c = 0, d = 1, e = 0, f = 0]: Matrix, [g = 1, h = 0, i = 0, j = 1, k = 0, l = 0]: Matrix): Matrix {
  return [a * g + b * i, a * h + b * j, c * g + d * i, c * h + d * j, e * g + f * i + k, e * h + f * j + l]
}

const moved = ([a = 1, b = 0, c = 0, d = 1, e = 0, f = 0]: Matrix, x = 0, y = 0): Point => [x * a + y * c + e, x * b + y * d + f]

interface Subpath {
  readonly points: Point[]
  isRound: boolean
}

function boxOf(points: readonly Point[], isRound: boolean): Shape {
  const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)]
  return { left: Math.min(...xs), bottom: Math.min(...ys), right: Math.max(...xs), top: Math.max(...ys), isRound }
}

/** The lines of a path that is stroked, each for itself. */
const edgesOf = ({ points, isRound }: Subpath): Shape[] => (isRound ? [boxOf(points, true)] : points.slice(1).map((point, i) => boxOf([points[i] ?? point, point], false)))

/** Follows the operators that draw paths (PDF 1.7, 8.5). */
class Pen {
  readonly shapes: Shape[] = []
  #left = mostBytes

  draw({ content, form }: Drawing, start: Matrix, depth: number): void {
    this.#left -= content.length
    if (this.#left < 0 || depth > mostDepth) return
    let matrix = start
    let path: Subpath[] = []
    const saved: Matrix[] = []
    for (const { operator, numbers, name } of operationsOf(content)) {
      if (this.shapes.length > mostShapes) return
      if (operator === 'q') saved.push(matrix)
      else if (operator === 'Q') matrix = saved.pop() ?? matrix
      else if (operator === 'cm') matrix = times(numbers, matrix)
      else if (operator === 'Do') this.#drawForm(form, name, matrix, depth)
      else if (/^[fFsSbBn]\*?$/.test(operator)) {
        this.#paint(path, operator)
        path = []
      } else extend(path, operator, numbers, matrix)
    }
  }

  #paint(path: readonly Subpath[], operator: string): void {
    if (operator === 'n') return
    const isStroked = operator === 's' || operator === 'S'
    for (const { points, isRound } of path) {
      if (points.length < 2 || points.length > mostPoints) continue
      const closed = operator === 's' && points[0] !== undefined ? [...points, points[0]] : points
      this.shapes.push(...(isStroked ? edgesOf({ points: closed, isRound }) : [boxOf(points, isRound)]))
    }
  }

  #drawForm(form: Drawing['form'], name: string, matrix: Matrix, depth: number): void {
    const found = depth < mostDepth ? form(name) : null
    if (found === null) return
    const own = times(found.matrix, matrix)
    const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = found.box
    const box = boxOf([moved(own, x1, y1), moved(own, x2, y2)], true)
    // A small form is a sign, whatever it draws.
    if (box.right - box.left < smallest && box.top - box.bottom < smallest) this.shapes.push(box)
    else this.draw(found, own, depth + 1)
  }
}

/** Adds what an operator draws to a path. */
function extend(path: Subpath[], operator: string, numbers: readonly number[], matrix: Matrix): void {
  const [x = 0, y = 0, width = 0, height = 0] = numbers
  const last = path.at(-1)
  if (operator === 'm') path.push({ points: [moved(matrix, x, y)], isRound: false })
  else if (operator === 're') path.push({ points: [[x, y], [x + width, y], [x + width, y + height], [x, y + height], [x, y]].map(([a, b]) => moved(matrix, a, b)), isRound: false })
  else if (last === undefined || last.points.length > mostPoints) return
  else if (operator === 'l') last.points.push(moved(matrix, x, y))
  else if (operator === 'h') last.points.push(...last.points.slice(0, 1))
  else if (operator === 'c' || operator === 'v' || operator === 'y') {
    last.isRound = true
    last.points.push(moved(matrix, numbers.at(-2), numbers.at(-1)))
  }
}

/** What a page draws beside text and pictures, by its position on the page as that of text. */
export function drawnShapes({ origin: [x, y], drawing }: PageStream): readonly Shape[] {
  const own = drawing()
  if (own === null) return []
  const pen = new Pen()
  pen.draw(own, [1, 0, 0, 1, -x, -y], 0)
  return pen.shapes
}
