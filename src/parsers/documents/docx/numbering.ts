import { Counters, type Level, levelAt, type List, type Marker, maxLevel, mostItems } from '../numbering.ts'
import { at, attributeOf, childrenOf, countOf, type XmlElement } from '../xml.ts'
import { toggle } from './styles.ts'

interface StyledList extends List {
  /** The style of each level that belongs to one. */
  readonly styles: ReadonlyMap<string | undefined, number>
}

const depthOf = (level: XmlElement): number => countOf(level, 'ilvl', { most: maxLevel, otherwise: 0 })

function levelOf(element: XmlElement): readonly [number, Level] {
  const said = (name: string): string | undefined => attributeOf(at(element, name), 'val')
  const depth = depthOf(element)
  const restart = at(element, 'lvlRestart')
  return [depth, levelAt(depth, { format: said('numFmt') ?? 'decimal', text: said('lvlText'), start: countOf(at(element, 'start'), 'val', { most: mostItems }), legal: toggle(at(element, 'isLgl')) ?? false, restart: restart && countOf(restart, 'val', { most: depth, otherwise: depth }) })]
}

/** The lists of a Word document, and their counters. */
export class Numbering {
  readonly #lists = new Map<string, StyledList>()
  readonly #counters = new Counters()

  constructor(root: XmlElement | undefined) {
    const numbering = at(root, 'numbering')
    const abstracts = new Map(childrenOf(numbering, 'abstractNum').map((one) => [attributeOf(one, 'abstractNumId') ?? '', one]))
    const byStyle = new Map([...abstracts].flatMap(([id, one]) => (at(one, 'styleLink') === undefined ? [] : [[attributeOf(at(one, 'styleLink'), 'val'), id]])))
    for (const num of childrenOf(numbering, 'num')) {
      const own = attributeOf(at(num, 'abstractNumId'), 'val') ?? ''
      const linked = at(abstracts.get(own), 'numStyleLink')
      const abstract = (linked === undefined ? undefined : byStyle.get(attributeOf(linked, 'val'))) ?? own
      const overrides = childrenOf(num, 'lvlOverride')
      const said = [...childrenOf(abstracts.get(abstract), 'lvl'), ...overrides.flatMap((one) => childrenOf(one, 'lvl'))]
      const levels = new Map(said.map(levelOf))
      const styles = new Map([...levels.keys()].reverse().map((depth) => [attributeOf(at(said.findLast((one) => depthOf(one) === depth), 'pStyle'), 'val'), depth]))
      const starts = new Map(overrides.filter((one) => at(one, 'startOverride') !== undefined).map((one) => [depthOf(one), countOf(at(one, 'startOverride'), 'val', { most: mostItems })]))
      this.#lists.set(attributeOf(num, 'numId') ?? '', { counter: abstract, levels, styles, starts })
    }
  }

  /** The level of a list that belongs to a style; undefined when none does. */
  levelOfStyle(id: string, style: string): number | undefined {
    return this.#lists.get(id)?.styles.get(style)
  }

  /** Counts an item, and gives its marker; null for a bullet, undefined when there is no such list. Items of another `nesting` are counted apart. */
  next(id: string, depth: number, nesting: string): Marker | null | undefined {
    const list = this.#lists.get(id)
    return list && this.#counters.nextOf(id, { ...list, counter: `${list.counter} ${nesting}` }, depth)
  }
}
