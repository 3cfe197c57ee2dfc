import { apartByAddress, apartByName } from '../../domain/pages/frames-apart.ts'
import type { Tab } from './tab.ts'
import { GoneError, StuckError } from './world.ts'

const limitMs = 1_000
// A page of more shows the same thing in many of them.
const most = 20

/** Starts to load the frames that wait until a visitor scrolls to them; answers whether there are any. */
export async function wakeFrames({ world }: Tab): Promise<boolean> {
  try {
    return (await world.evaluate<number>(`(${wake})(${JSON.stringify({ most, apart: { address: apartByAddress, name: apartByName } })})`, limitMs)) > 0
  } catch (error) {
    // Without them, the page is still there.
    if (error instanceof GoneError || error instanceof StuckError) return false
    throw error
  }
}

// The attribute is put back, so that the page stays what its site has sent.
const wake = String.raw`({ most, apart }) => {
  const { getAttribute, setAttribute, getBoundingClientRect, checkVisibility } = Element.prototype
  const value = (element, name) => Reflect.apply(getAttribute, element, [name]) ?? ''
  const contentDocument = Object.getOwnPropertyDescriptor(HTMLIFrameElement.prototype, 'contentDocument').get
  const src = Object.getOwnPropertyDescriptor(HTMLIFrameElement.prototype, 'src').get
  let woken = 0
  for (const element of Reflect.apply(Document.prototype.querySelectorAll, document, ['iframe[loading="lazy" i][src]'])) {
    if (woken >= most) break
    const address = Reflect.apply(src, element, [])
    const shown = Reflect.apply(contentDocument, element, [])
    const { width, height } = Reflect.apply(getBoundingClientRect, element, [])
    if (shown === null || shown.URL !== 'about:blank' || !/^https?:/.test(address) || width < 120 || height < 60) continue
    if (!Reflect.apply(checkVisibility, element, [{ visibilityProperty: true, opacityProperty: true }])) continue
    if (new RegExp(apart.address, 'i').test(address.slice(0, 2000)) || ['id', 'name', 'class'].some((key) => new RegExp(apart.name, 'i').test(value(element, key).slice(0, 500)))) continue
    const before = value(element, 'loading')
    Reflect.apply(setAttribute, element, ['loading', 'eager'])
    Reflect.apply(setAttribute, element, ['loading', before])
    woken++
  }
  return woken
}`
