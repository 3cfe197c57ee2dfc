/** A text run or link and its box; the origin is the bottom left corner of the page. */
export interface Placed {
  readonly text: string
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
  readonly itemType: string
  readonly linkUrl?: string | undefined
  readonly isBold?: boolean
}

/** Where a run or box ends. */
export const rightOf = ({ x, width }: Pick<Placed, 'x' | 'width'>): number => x + width

/** Whether a run shows text. */
export const isText = ({ itemType, text }: Pick<Placed, 'itemType' | 'text'>): boolean => itemType === 'Text' && text.trim() !== ''
