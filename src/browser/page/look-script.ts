import { getterScript } from './getter-script.ts'
import { pause } from './pause-script.ts'

/** Limits of measuring: time, and number of elements. */
export interface LookBudget {
  readonly ms: number
  readonly maxElements: number
}

/** Measures what the page looks like. Runs in the isolated world; changes nothing, except the focus for a moment. */
export function lookScript(budget: LookBudget): string {
  return `(${measure})(${JSON.stringify(budget)})`
}

const measure = String.raw`async ({ ms, maxElements }) => {
  ${getterScript}
  const nodeType = getter(Node.prototype, 'nodeType')
  const firstChild = getter(Node.prototype, 'firstChild')
  const nextSibling = getter(Node.prototype, 'nextSibling')
  const parentOf = getter(Node.prototype, 'parentElement')
  const nameOf = getter(Element.prototype, 'localName')
  const attributesOf = getter(Element.prototype, 'attributes')
  const own = (name) => getter(Document.prototype, name)(document)
  const end = performance.now() + ms
  const style = (element) => getComputedStyle(element)
  const box = (element) => Reflect.apply(Element.prototype.getBoundingClientRect, element, [])
  const attribute = (element, name) => Reflect.apply(Element.prototype.getAttribute, element, [name]) ?? ''
  const all = (selector, root = document) => [...(root === document ? Reflect.apply(Document.prototype.querySelectorAll, document, [selector]) : Reflect.apply(Element.prototype.querySelectorAll, root, [selector]))]
  const closest = (element, selector) => Reflect.apply(Element.prototype.closest, element, [selector])

  const pixel = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true })
  const colors = new Map()
  // Converts any notation of a colour; empty for an invisible one.
  const color = (text) => {
    if (colors.has(text)) return colors.get(text)
    let hex = ''
    pixel.clearRect(0, 0, 1, 1)
    pixel.fillStyle = '#010203'
    pixel.fillStyle = text
    const known = pixel.fillStyle !== '#010203' || /^#010203$/i.test(text)
    if (known) {
      pixel.fillRect(0, 0, 1, 1)
      const [r, g, b, a] = pixel.getImageData(0, 0, 1, 1).data
      if (a >= 128) hex = '#' + [r, g, b].map((one) => one.toString(16).padStart(2, '0')).join('')
    }
    if (colors.size < 2000) colors.set(text, hex)
    return hex
  }
  const counter = () => {
    const counts = new Map()
    return {
      add: (key, amount) => { if (key !== '' && amount !== 0) counts.set(key, (counts.get(key) ?? 0) + amount) },
      list: (most) => [...counts].filter(([, amount]) => amount > 0).sort((a, b) => b[1] - a[1]).slice(0, most),
    }
  }
  const painted = counter(), text = counter(), links = counter(), families = counter(), weights = counter()
  const lengths = counter(), radii = counter(), transitions = counter(), iconColors = counter()
  const width = own('documentElement').clientWidth || innerWidth
  const visible = (element, rect, s) => rect.width > 0 && rect.height > 0 && s.visibility === 'visible' && Number(s.opacity) > 0.05 && rect.left < width && rect.right > 0 && rect.bottom + scrollY > 0
  const areaOf = (rect) => Math.max(0, Math.min(width, rect.right) - Math.max(0, rect.left)) * Math.min(rect.height, 20000)
  const ownText = (element) => {
    let size = 0
    for (let node = firstChild(element); node; node = nextSibling(node)) if (nodeType(node) === 3) size += node.data.trim().length
    return size
  }
  const lettering = (element) => {
    if (!element) return null
    const s = style(element)
    const size = parseFloat(s.fontSize)
    const line = s.lineHeight === 'normal' ? '' : size > 0 ? String(Math.round((parseFloat(s.lineHeight) / size) * 100) / 100) : ''
    return { family: s.fontFamily.slice(0, 500), size: s.fontSize, weight: Number(s.fontWeight) || 400, line, color: color(s.color) }
  }
  const boxOf = (element) => {
    const s = style(element), rect = box(element)
    const bordered = parseFloat(s.borderTopWidth) > 0 && s.borderTopStyle !== 'none' ? color(s.borderTopColor) : parseFloat(s.borderBottomWidth) > 0 && s.borderBottomStyle !== 'none' ? color(s.borderBottomColor) : ''
    return {
      background: color(s.backgroundColor), color: color(s.color), border: bordered,
      corners: [s.borderTopLeftRadius, s.borderTopRightRadius, s.borderBottomRightRadius, s.borderBottomLeftRadius].map((one) => one.split(' ')[0]),
      shadow: s.boxShadow === 'none' ? '' : s.boxShadow.slice(0, 300), padding: s.padding, area: areaOf(rect), top: rect.top + scrollY,
    }
  }
  const isButton = (element, s) => {
    const name = nameOf(element)
    if (name === 'button' || (name === 'input' && /^(?:submit|button)$/.test(attribute(element, 'type')))) return true
    if (name !== 'a' && attribute(element, 'role') !== 'button') return false
    return attribute(element, 'role') === 'button' || /\bbtn|button|\bcta\b/i.test(attribute(element, 'class')) || (name === 'a' && parseFloat(s.paddingLeft) >= 8 && parseFloat(s.paddingTop) >= 4 && color(s.backgroundColor) !== '')
  }

  const root = own('documentElement'), body = own('body') ?? root
  const dark = /\bdark\b/.test(style(root).colorScheme) && !/\blight\b/.test(style(root).colorScheme)
  const canvas = color(style(root).backgroundColor) || color(style(body).backgroundColor) || (dark ? '#121212' : '#ffffff')
  const under = new Map([[root, canvas]])
  painted.add(canvas, width * Math.min(Math.max(root.scrollHeight, innerHeight), 20000))
  const buttons = []
  let outline = 0, filled = 0, grid = null, gridArea = 0, seen = 0
  const widths = counter()

  // What is inside a drawing is not measured.
  const isDrawing = (element) => element !== null && nameOf(element) === 'svg'
  const walker = Reflect.apply(Document.prototype.createTreeWalker, document, [body, NodeFilter.SHOW_ELEMENT, (node) => (isDrawing(parentOf(node)) ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT)])
  const look = (element) => {
    const parent = parentOf(element)
    let base = parent ? under.get(parent) : canvas
    if (base === undefined) return
    const s = style(element)
    if (s.display === 'none') return
    const rect = box(element)
    under.set(element, base)
    if (!visible(element, rect, s)) return
    if (isDrawing(element)) {
      const size = Math.max(rect.width, rect.height)
      if (size >= 8 && size <= 64) {
        const shape = all('path,circle,rect,line,polyline,polygon,ellipse', element)[0]
        const inner = style(shape ?? element)
        const stroked = color(inner.stroke), full = color(inner.fill)
        if (stroked !== '' && full === '') outline++
        else if (full !== '') filled++
        iconColors.add(stroked !== '' && full === '' ? stroked : full, 1)
      }
      return
    }
    const back = color(s.backgroundColor)
    const area = areaOf(rect)
    if (back !== '' && back !== base && s.position !== 'fixed') {
      painted.add(back, area)
      painted.add(base, -area)
      base = back
    }
    under.set(element, base)
    const chars = ownText(element)
    const button = isButton(element, s)
    if (button && buttons.length < 60 && rect.height >= 16 && rect.height <= 120 && rect.width >= 24) buttons.push(boxOf(element))
    if (chars > 0) {
      families.add(s.fontFamily.slice(0, 500), chars)
      weights.add(Number(s.fontWeight) || 400, chars)
      const ink = color(s.color)
      const link = closest(element, 'a[href]')
      if (button || closest(element, 'button')) {} else if (link) { if (!closest(link, 'nav,header,footer')) links.add(ink, chars) } else if (!/^h[1-6]$/.test(nameOf(element))) text.add(ink, chars)
    }
    if (s.display === 'grid' && area > gridArea) {
      const columns = s.gridTemplateColumns.split(' ').filter((one) => /px$/.test(one)).length
      if (columns > 1) { grid = { columns, gap: s.columnGap === 'normal' ? '' : s.columnGap }; gridArea = area }
    }
    if (/px$/.test(s.maxWidth) && rect.width >= Math.min(480, width * 0.5) && parseFloat(s.maxWidth) >= 480) widths.add(s.maxWidth, area)
    for (const side of [s.paddingTop, s.paddingLeft, s.marginTop, s.marginBottom, s.rowGap, s.columnGap]) {
      const px = parseFloat(side)
      if (px >= 2 && px <= 128 && Number.isInteger(px)) lengths.add(px, 1)
    }
    if ((back !== '' || parseFloat(s.borderTopWidth) > 0) && parseFloat(s.borderTopLeftRadius) > 0) radii.add(s.borderTopLeftRadius.split(' ')[0], 1)
    if (button || nameOf(element) === 'a') {
      const durations = s.transitionDuration.split(', '), easings = s.transitionTimingFunction.split(/, (?![^(]*\))/)
      if (parseFloat(durations[0]) > 0) transitions.add(durations[0] + '\n' + (easings[0] ?? 'ease'), 1)
    }
  }
  for (let element = body; element && seen < maxElements; element = walker.nextNode()) {
    seen++
    if (seen % 100 === 0 && performance.now() > end) break
    look(element)
  }

  const first = (selector, root) => all(selector, root).slice(0, 50).find((element) => { const s = style(element); return s.display !== 'none' && visible(element, box(element), s) }) ?? null
  const named = []
  const name = (key, value) => { const hex = color(value); if (hex !== '' && named.length < 400) named.push([key.slice(0, 100), hex]) }
  try {
    for (const [property, values] of root.computedStyleMap()) if (property.startsWith('--') && /primary|secondary|accent|brand|success|warning|danger|error/i.test(property)) {
      const value = String(values[0]).trim()
      const triple = /^\d{1,3}[ ,]+\d{1,3}%?[ ,]+\d{1,3}%?$/.test(value) ? (value.includes('%') ? 'hsl(' : 'rgb(') + value.replace(/,/g, ' ').replace(/ +/g, ' ') + ')' : value
      if (value.length < 200) name(property, triple)
    }
  } catch {}
  const theme = all('meta[name="theme-color" i]')[0]
  if (theme) name('theme-color', attribute(theme, 'content'))
  for (const kind of ['success', 'warning', 'error', 'danger']) {
    const element = first('[class*="' + kind + '" i]')
    if (!element) continue
    const s = style(element)
    const own = [s.backgroundColor, s.borderTopColor, s.color].map((one) => color(one))
    const chroma = (hex) => { const [r, g, b] = [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16)); return Math.max(r, g, b) - Math.min(r, g, b) }
    const strongest = own.filter((one) => one !== '').sort((a, b) => chroma(b) - chroma(a))[0]
    if (strongest && chroma(strongest) > 60) named.push(['.' + kind, strongest])
  }

  const header = first('header,[role="banner"]'), footer = all('footer,[role="contentinfo"]').filter((one) => box(one).height > 0).at(-1)
  const logoOf = () => {
    const scope = header ? [header, document] : [document]
    const home = (element) => { const link = closest(element, 'a[href]'); if (!link) return ''; try { const url = new URL(attribute(link, 'href'), getter(Node.prototype, 'baseURI')(document)); return url.origin === location.origin && /^\/(?:index\.\w+|[a-z]{2}(?:-[a-z]{2})?\/?)?$/i.test(url.pathname) ? url.href : '' } catch { return '' } }
    const called = (element) => { for (let one = element, i = 0; one && i < 3; one = parentOf(one), i++) if (/logo|brand(?!ing)/i.test(attribute(one, 'class') + ' ' + attribute(one, 'id') + ' ' + attribute(one, 'alt') + ' ' + attribute(one, 'aria-label') + ' ' + (attribute(one, 'src').startsWith('data:') ? '' : attribute(one, 'src')))) return true; return false }
    const rated = scope.flatMap((root) => all('img,svg', root)).slice(0, 300).map((element) => {
      const rect = box(element), s = style(element)
      if (!visible(element, rect, s) || rect.width < 16 || rect.height < 10 || rect.top + scrollY > 600 || rect.width > width * 0.8) return [0, element]
      return [(called(element) ? 3 : 0) + (home(element) !== '' ? 2 : 0) + (header && closest(element, 'header,[role="banner"]') ? 1 : 0) + (rect.top + scrollY < 200 ? 0.5 : 0), element]
    }).filter(([score]) => score >= 3).sort((a, b) => b[0] - a[0])
    const element = rated[0]?.[1]
    if (!element) return null
    const link = closest(element, 'a[href]')
    const href = home(element)
    if (nameOf(element) === 'img') {
      const src = element.currentSrc || element.src
      return src.length > 30000 ? null : { src, href, alt: (attribute(element, 'alt') || (link ? attribute(link, 'aria-label') : '')).slice(0, 200) }
    }
    const copy = element.cloneNode(true)
    for (const one of [copy, ...copy.querySelectorAll('*')]) { if (nameOf(one) === 'script') { one.remove(); continue } for (const { name } of [...attributesOf(one)]) if (/^on/i.test(name)) Reflect.apply(Element.prototype.removeAttribute, one, [name]) }
    copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg')
    copy.setAttribute('color', color(style(element).color))
    const drawn = new XMLSerializer().serializeToString(copy)
    // One that uses symbols of the page means nothing outside of it.
    if (drawn.length > 30000 || copy.querySelector('use')) return null
    const title = copy.querySelector('title')?.textContent ?? ''
    return { src: 'data:image/svg+xml;utf8,' + encodeURIComponent(drawn), href, alt: (attribute(element, 'aria-label') || title || (link ? attribute(link, 'aria-label') : '')).slice(0, 200) }
  }

  const section = all('main section, body > section, main > div').map((element) => [element, box(element)]).filter(([, rect]) => rect.width > width * 0.6 && rect.height > 120)[0]?.[0] ?? null
  const h1 = first('h1'), h2 = first('h2'), h3 = first('h3'), paragraph = first('main p, article p') ?? first('p')
  const field = first('input:not([type]),input[type="text"],input[type="email"],input[type="search"],input[type="password"],input[type="tel"],textarea')
  const input = field ? { ...boxOf(field), focusBorder: '' } : null
  if (field && performance.now() < end) {
    const before = own('activeElement')
    Reflect.apply(HTMLElement.prototype.focus, field, [{ preventScroll: true }])
    await ${pause}(30)
    for (const one of Reflect.apply(Document.prototype.getAnimations, document, [])) try { if (one instanceof CSSTransition) one.finish() } catch {}
    const s = style(field)
    input.focusBorder = parseFloat(s.borderTopWidth) > 0 && s.borderTopStyle !== 'none' ? color(s.borderTopColor) : ''
    Reflect.apply(HTMLElement.prototype.blur, field, [])
    if (before instanceof HTMLElement && before !== body) Reflect.apply(HTMLElement.prototype.focus, before, [{ preventScroll: true }])
  }
  const margin = (element) => { if (!element) return ''; const s = style(element); return s.marginTop === s.marginBottom ? s.marginTop : s.marginTop + ' ' + s.marginBottom }
  return {
    painted: painted.list(30), text: text.list(20), links: links.list(10), named, families: families.list(20), weights: weights.list(20),
    body: lettering(body), headings: { h1: lettering(h1), h2: lettering(h2), h3: lettering(h3) }, paragraph: lettering(paragraph), small: lettering(first('small,figcaption,.caption')), code: lettering(first('code,pre,kbd')),
    buttons, input, lengths: lengths.list(60), radii: radii.list(20),
    margins: { heading: margin(h2 ?? h1), paragraph: margin(paragraph), section: margin(section) }, sectionPadding: section ? style(section).padding : '',
    grid, maxWidth: widths.list(1)[0]?.[0] ?? '', headerHeight: header ? Math.round(box(header).height) : 0, footerHeight: footer ? Math.round(box(footer).height) : 0,
    icons: { outline, filled, colors: iconColors.list(5) }, transitions: transitions.list(5).map(([key, count]) => [...key.split('\n'), count]),
    logo: logoOf(), dark,
  }
}`
