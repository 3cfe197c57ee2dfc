import type { Action } from '../../domain/pages/actions.ts'
import { sleep } from '../../lib/sleep.ts'
import { GoneError, unlessGone } from '../page/world.ts'
import type { Session } from '../protocol/page-session.ts'
import { ActionError, type ActionHandler, ask, inTime, onceThere, spend, type Stage } from './stage.ts'

type Format = Extract<Action, { type: 'pdf' }>['format']

/** Paper width and height in inches, in portrait orientation. */
const papers: Readonly<Record<Format, readonly [number, number]>> = {
  Letter: [8.5, 11],
  Legal: [8.5, 14],
  Tabloid: [11, 17],
  Ledger: [17, 11],
  A0: [33.1, 46.8],
  A1: [23.4, 33.1],
  A2: [16.54, 23.4],
  A3: [11.7, 16.54],
  A4: [8.27, 11.7],
  A5: [5.83, 8.27],
  A6: [4.13, 5.83],
}

/** Prints the page as PDF. */
export const pdf: ActionHandler<'pdf'> = async ({ format, landscape, scale }, stage) => {
  const [paperWidth, paperHeight] = papers[format]
  stage.results.pdfs.push(await inTime(stage, onceThere(stage, () => printed(stage, { paperWidth, paperHeight, landscape, scale }))))
}

interface Printing {
  readonly paperWidth: number
  readonly paperHeight: number
  readonly landscape: boolean
  readonly scale: number
}

/**
 * Up to this number of elements a print is tagged (headings, lists, tables): tagging blocks the page's thread, for minutes
 * on large pages.
 */
const mostTagged = 4_000
// That another document has come is told a moment after what it cost.
const newsMs = 200

async function printed(stage: Stage, order: Printing): Promise<Uint8Array> {
  const { cdp, traffic } = stage.tab
  const before = traffic.documents()
  const tagged = (await ask<number>(stage, "Reflect.apply(Document.prototype.getElementsByTagName, document, ['*']).length")) <= mostTagged
  const { stream } = await unlessGone(cdp.send('Page.printToPDF', { ...order, printBackground: true, transferMode: 'ReturnAsStream', generateTaggedPDF: tagged, generateDocumentOutline: false })).catch(async (error: unknown) => {
    await sleep(newsMs, stage.signal)
    if (error instanceof GoneError || traffic.documents() !== before) throw new GoneError('document gone', { cause: error })
    throw new ActionError('The page could not be printed.', { cause: error })
  })
  return readAll(cdp, stream ?? '', stage)
}

const pieceBytes = 4 * 1024 ** 2

/** Reads the file in pieces, so that no more is transferred than is kept. */
async function readAll(cdp: Session, handle: string, stage: Stage): Promise<Uint8Array> {
  const pieces: Buffer[] = []
  try {
    for (;;) {
      const { data, base64Encoded, eof } = await cdp.send('IO.read', { handle, size: pieceBytes })
      const piece = Buffer.from(data, base64Encoded === true ? 'base64' : 'latin1')
      spend(stage, piece.length)
      pieces.push(piece)
      if (eof) return Buffer.concat(pieces)
    }
  } finally {
    await cdp.send('IO.close', { handle }).catch(() => undefined)
  }
}
