import { apartByAddress, apartByName } from '../../domain/pages/frames-apart.ts'
import { getterScript } from './getter-script.ts'
import type { Tab } from './tab.ts'
import { GoneError, StuckError } from './world.ts'

const limitMs = 1_000

/**
 * Whether a frame of the page has not arrived that would be read: one that is shown, is not tiny, and is no player or
 * advertisement. Frames within frames are not looked at.
 */
export async function missesFrame({ traffic, world }: Tab): Promise<boolean> {
  const late = traffic.frames()
  if (late.length === 0) return false
  try {
    return await world.evaluate<boolean>(`(${look})(${JSON.stringify({ late, address: apartByAddress, name: apartByName })})`, limitMs)
  } catch (error) {
    // A page that does not answer is told of anyway.
    if (error instanceof GoneError || error instanceof StuckError) return false
    throw error
  }
}

// The limits are those of the snapshot.
const look = String.raw`({ late, address, name }) => {
  ${getterScript}
  const addresses = new Set(late)
  const apartAt = new RegExp(address, 'i')
  const apartNamed = new RegExp(name, 'i')
  const src = { iframe: getter(HTMLIFrameElement.prototype, 'src'), frame: getter(HTMLFrameElement.prototype, 'src') }
  const attribute = (element, key) => (Reflect.apply(Element.prototype.getAttribute, element, [key]) ?? '').slice(0, 500)
  const found = Reflect.apply(Document.prototype.querySelectorAll, document, ['iframe, frame'])
  return Array.prototype.some.call(found, (element) => {
    const from = src[element.localName](element).replace(/#.*/s, '')
    if (!addresses.has(from) || apartAt.test(from.slice(0, 2000)) || ['id', 'name', 'class'].some((key) => apartNamed.test(attribute(element, key)))) return false
    const { width, height } = Reflect.apply(Element.prototype.getBoundingClientRect, element, [])
    return width >= 120 && height >= 60 && Reflect.apply(Element.prototype.checkVisibility, element, [{ visibilityProperty: true, opacityProperty: true }])
  })
}`
