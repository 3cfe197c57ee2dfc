import type { Removal } from '../../domain/reading.ts'
import type { Page } from '../clean/step.ts'
import { attribute } from '../tree.ts'
import type { Outline } from './outline.ts'

const furnitureTags: ReadonlySet<string> = new Set(['nav', 'footer', 'aside', 'header'])
const furnitureRoles: ReadonlySet<string> = new Set(['navigation', 'banner', 'contentinfo', 'complementary', 'search'])

/** Marks page furniture by element and role. */
export function furniture(page: Page, o: Outline): readonly Removal[] {
  let count = 0
  for (let i = 0; i < o.elements.length; i++) {
    const element = o.elements[i]
    if (!element) continue
    if (!furnitureTags.has(element.name) && !furnitureRoles.has(attribute(element, 'role') ?? '')) continue
    page.removed.add(element)
    count++
    i = (o.end[i] ?? i + 1) - 1
  }
  return [{ step: 'page furniture', count }]
}
