import { longAt } from '../compound.ts'
import type { PptFile } from './file.ts'
import { types } from './records.ts'
import { masterBullets } from './styles.ts'
import { type TextSetting, textTypes } from './text.ts'

type Bullets = ReadonlyMap<number, readonly (boolean | undefined)[]>

/**
 * The instance of the list of masters; offsets in its entries of the part id and the master id; and offset of the master id
 * in a slide.
 */
const masterList = 1
const persist = { part: 0, master: 12 }
const masterAt = 12
/** A title master has a master itself; limits the chain. */
const maxMasters = 4
/** Text types that are styled like another type unless their design says otherwise. */
const like: ReadonlyMap<number, number> = new Map([[textTypes.centredBody, textTypes.body], [textTypes.halfBody, textTypes.body], [textTypes.quarterBody, textTypes.body], [textTypes.centredTitle, textTypes.title]])

/** Returns which texts have bullets by a master's design. Nothing else of a master counts: its text is not content. */
export function designsOf(file: PptFile): (master: number) => TextSetting['bullet'] {
  const { walk, document } = file
  const list = walk.all(document, types.slideList).find(({ instance }) => instance === masterList)?.body
  const parts = new Map(walk.all(list, types.slidePersist).map(({ body }) => [longAt(body, persist.master), longAt(body, persist.part)]))
  const general = bulletsIn(file, walk.first(document, types.environment))
  const known = new Map<number, Bullets>()

  const read = (master: number): Bullets => {
    let bullets: Bullets = new Map()
    let number = master
    for (let i = 0; i < maxMasters && bullets.size === 0; i++) {
      const part = file.part(parts.get(number) ?? -1)
      bullets = bulletsIn(file, part?.body)
      number = longAt(walk.first(part?.body, types.slideAtom) ?? Buffer.alloc(0), masterAt)
    }
    return bullets
  }

  return (master) => {
    const bullets = known.get(master) ?? read(master)
    known.set(master, bullets)
    return (type, level) => {
      const base = like.get(type) ?? type
      return bullets.get(type)?.[level] ?? bullets.get(base)?.[level] ?? general.get(type)?.[level] ?? (base === textTypes.body && type !== textTypes.centredBody)
    }
  }
}

function bulletsIn({ walk }: PptFile, body: Buffer | undefined): Bullets {
  return new Map(walk.all(body, types.masterStyle).map(({ instance, body: style }) => [instance, masterBullets(style, instance)]))
}
