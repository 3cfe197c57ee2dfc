import { type Converted, propertiesOf } from './converted.ts'
import { chartHtml, diagramHtml } from './drawings.ts'
import { texInside } from './equations.ts'
import { type Cell, dressed, escapeHtml, flow, isEvenFont, link, type Look, type Paragraph, Pictures, table } from './html.ts'
import { all, at, attributeOf, childrenOf, countOf, textIn, type XmlElement } from './xml.ts'
import { shownIn } from './symbols.ts'
import { type Parts, resolvePath, xmlPart } from './zip.ts'

/** What the text of a slide may refer to. */
interface Slide {
  readonly parts: Parts
  readonly pictures: Pictures
  /** Targets of the slide's relations, by id. */
  readonly targets: ReadonlyMap<string, string>
  readonly path: string
}

const maxSpan = 1_000
/** Placeholders that are on every slide. */
const furniture = new Set(['dt', 'ftr', 'sldNum', 'hdr'])
const titles = new Set(['title', 'ctrTitle'])

function targetsOf(parts: Parts, path: string, type?: string): ReadonlyMap<string, string> {
  const file = path.slice(path.lastIndexOf('/') + 1)
  const relations = childrenOf(at(xmlPart(parts, resolvePath(path, `_rels/${file}.rels`)), 'Relationships'), 'Relationship')
  return new Map(relations.filter((one) => type === undefined || attributeOf(one, 'Type')?.endsWith(`/${type}`)).map((one) => [attributeOf(one, 'Id') ?? '', attributeOf(one, 'Target') ?? '']))
}

/** The relation that an element names, by an attribute with any prefix: one without is a name of the element itself. */
const relationOf = (element: XmlElement | undefined, name: string): string => Object.entries(element?.attributes ?? {}).find(([key]) => key.endsWith(`:${name}`))?.[1] ?? ''

/**
 * Reads a PowerPoint presentation: slides in order, with titles as headings, lists, tables, pictures and speaker's notes.
 */
export function readSlides(parts: Parts): Converted {
  const home = 'ppt/presentation.xml'
  const targets = targetsOf(parts, home)
  const ids = childrenOf(at(xmlPart(parts, home), 'presentation', 'sldIdLst'), 'sldId').map((one) => relationOf(one, 'id'))
  const pictures = new Pictures()
  let [hidden, missing] = [0, 0]
  const slides: string[] = []
  for (const id of ids) {
    const path = resolvePath(home, targets.get(id) ?? '')
    const root = at(xmlPart(parts, path), 'sld')
    if (root === undefined) missing++
    else if (/^(?:0|false)$/.test(attributeOf(root, 'show') ?? '')) hidden++
    else slides.push(slideHtml(root, { parts, pictures, path, targets: targetsOf(parts, path) }))
  }
  const warnings = [
    ...(hidden === 0 ? [] : [`Hidden slides are left out (${hidden}).`]),
    ...(missing === 0 ? [] : [`Slides that the file does not hold whole are left out (${missing}).`]),
    ...pictures.warnings(),
  ]
  return { html: slides.filter((html) => html.trim() !== '').join('<hr>\n'), metadata: propertiesOf(xmlPart(parts, 'docProps/core.xml')), warnings }
}

function slideHtml(root: XmlElement, slide: Slide): string {
  const shapes = all(at(root, 'cSld', 'spTree'), 'sp').filter((shape) => titles.has(placeholderOf(shape) ?? ''))
  const heading = shapes.map((shape) => `<h2>${paragraphsOf(at(shape, 'txBody'), false, slide).map((one) => one.html).join(' ')}</h2>\n`).join('')
  return heading + shapesHtml(at(root, 'cSld', 'spTree'), slide) + notesHtml(slide)
}

/** The type of a placeholder; '' for one without a type, undefined for other shapes. */
function placeholderOf(shape: XmlElement): string | undefined {
  const [placeholder] = all(childrenOf(shape).find((one) => one.name.startsWith('nv')), 'ph')
  return placeholder === undefined ? undefined : (attributeOf(placeholder, 'type') ?? '')
}

function shapesHtml(tree: XmlElement | undefined, slide: Slide): string {
  return childrenOf(tree).map((shape) => shapeHtml(shape, slide)).join('')
}

function shapeHtml(shape: XmlElement, slide: Slide): string {
  if (isOn(at(childrenOf(shape).find((one) => one.name.startsWith('nv')), 'cNvPr'), 'hidden')) return ''
  if (shape.name === 'grpSp') return shapesHtml(shape, slide)
  // The second child is a fallback for older programs.
  if (shape.name === 'AlternateContent') return shapesHtml(childrenOf(shape)[0], slide)
  if (shape.name === 'pic') return pictureHtml(shape, slide)
  if (shape.name === 'graphicFrame') return frameHtml(shape, slide)
  const placeholder = placeholderOf(shape)
  if (shape.name !== 'sp' || titles.has(placeholder ?? '') || furniture.has(placeholder ?? '')) return ''
  return flow(paragraphsOf(at(shape, 'txBody'), placeholder === '' || placeholder === 'body' || placeholder === 'obj', slide))
}

/** A frame holds a table, a chart or a diagram. */
function frameHtml(frame: XmlElement, slide: Slide): string {
  const related = (name: string, id: string, read: (root: XmlElement | undefined) => string): string =>
    all(frame, name).map((one) => read(xmlPart(slide.parts, resolvePath(slide.path, slide.targets.get(attributeOf(one, id) ?? '') ?? '')))).join('')
  return all(frame, 'tbl').map((one) => tableHtml(one, slide)).join('') + related('chart', 'id', chartHtml) + related('relIds', 'dm', diagramHtml)
}

function pictureHtml(shape: XmlElement, slide: Slide): string {
  const alt = attributeOf(at(shape, 'nvPicPr', 'cNvPr'), 'descr') ?? ''
  const target = slide.targets.get(relationOf(at(shape, 'blipFill', 'blip'), 'embed'))
  const path = target === undefined ? '' : resolvePath(slide.path, target)
  const html = slide.pictures.html(path, slide.parts.get(path), alt)
  return html === '' ? '' : `<p>${html}</p>\n`
}

/** `listed`: the slide's design gives bullets to paragraphs that do not say otherwise. */
function paragraphsOf(body: XmlElement | undefined, listed: boolean, slide: Slide): Paragraph[] {
  return childrenOf(body, 'p').map((paragraph) => {
    const look = at(paragraph, 'pPr')
    const level = countOf(look, 'lvl', { most: 8, otherwise: 0 })
    const numbered = at(look, 'buAutoNum')
    const bulleted = at(look, 'buNone') === undefined && (numbered !== undefined || at(look, 'buChar') !== undefined || at(look, 'buBlip') !== undefined || listed)
    const list = bulleted ? { level, ordered: numbered !== undefined, start: countOf(numbered, 'startAt', { most: 32_767 }) } : undefined
    return { tag: 'p', html: runsHtml(paragraph, slide), list }
  })
}

function runsHtml(paragraph: XmlElement, slide: Slide): string {
  return childrenOf(paragraph)
    .map((run) => {
      if (run.name === 'br') return '<br>'
      if (run.name === 'AlternateContent' || run.name === 'm') return all(run, 'oMath').map((one) => escapeHtml(`\\(${texInside(one)}\\)`)).join(' ')
      if (run.name !== 'r' && run.name !== 'fld') return ''
      const look = at(run, 'rPr')
      const href = slide.targets.get(relationOf(at(look, 'hlinkClick'), 'id'))
      return link(dressed(escapeHtml(shownIn(textIn(at(run, 't')), attributeOf(at(look, 'latin'), 'typeface'))), lookOf(look)), href)
    })
    .join('')
}

const isOn = (element: XmlElement | undefined, name: string): boolean => ['1', 'true'].includes(attributeOf(element, name) ?? '')

function lookOf(look: XmlElement | undefined): Look {
  const shift = countOf(look, 'baseline', { most: 100_000, otherwise: 0 })
  return { bold: isOn(look, 'b'), italic: isOn(look, 'i'), code: isEvenFont(attributeOf(at(look, 'latin'), 'typeface')), strike: /^(?:sng|dbl)Strike$/.test(attributeOf(look, 'strike') ?? ''), raised: shift > 0, lowered: (attributeOf(look, 'baseline') ?? '').startsWith('-') }
}

function tableHtml(element: XmlElement, slide: Slide): string {
  const rows = childrenOf(element, 'tr').map((row) =>
    childrenOf(row, 'tc')
      .filter((cell) => !isOn(cell, 'hMerge') && !isOn(cell, 'vMerge'))
      .map((cell): Cell => ({
        html: paragraphsOf(at(cell, 'txBody'), false, slide).map((one) => one.html).join('<br>'),
        columns: countOf(cell, 'gridSpan', { most: maxSpan }),
        rows: countOf(cell, 'rowSpan', { most: maxSpan }),
      })),
  )
  return table(rows, isOn(at(element, 'tblPr'), 'firstRow') ? 1 : 0)
}

/** The speaker's notes of a slide, as a quotation. */
function notesHtml({ parts, path, pictures }: Slide): string {
  const [target] = targetsOf(parts, path, 'notesSlide').values()
  if (target === undefined) return ''
  const own = resolvePath(path, target)
  const notes: Slide = { parts, path: own, pictures, targets: targetsOf(parts, own) }
  const bodies = all(at(xmlPart(parts, own), 'notes', 'cSld', 'spTree'), 'sp').filter((shape) => placeholderOf(shape) === 'body')
  const html = bodies.map((shape) => flow(paragraphsOf(at(shape, 'txBody'), false, notes))).join('')
  return html === '' ? '' : `<blockquote>${html}</blockquote>\n`
}
