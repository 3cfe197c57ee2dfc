import { attribute } from '../../html/tree.ts'
import { nameKind } from '../names.ts'
import type { Outline } from '../outline.ts'

/** Whether an element named as furniture, such as what was done with a ticket, holds what is named as comments, with text. */
export function holdsComments({ end, proseText }: Outline, i: number, kinds: Uint8Array): boolean {
  for (let at = i + 1; at < (end[i] ?? 0); at++) if (kinds[at] === nameKind.comments && (proseText[at] ?? 0) > 0) return true
  return false
}

/** Addresses of files to download. */
const file = /\.(?:zip|tar\.\w{1,4}|t[gx]z|7z|exe|msi|dmg|pkg|deb|rpm|apk|jar|whl|appimage|iso)(?:[?#]|$)|\/archive\/refs\/|\/releases\/download\//i

/** Whether the end of a box lists the files of what the box tells of, such as a release. */
export function listsFiles({ elements, end }: Outline, i: number): boolean {
  return elements.slice(i, end[i]).some((element) => element.name === 'a' && file.test(attribute(element, 'href') ?? ''))
}
