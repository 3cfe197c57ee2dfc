import type { Wire } from '../protocol/wire.ts'
import { goneBy, worldName } from './world.ts'

/** Sends a command to the process of a document; frames of other sites have processes of their own. */
export type Send = (method: string, params: object) => Promise<unknown>

/** The isolated world of a document, and how to reach it. */
export interface Place {
  readonly send: Send
  readonly context: number
}

interface Evaluated {
  readonly result: { readonly value?: unknown; readonly objectId?: string }
  readonly exceptionDetails?: object
}

/** The same, but rejects with `GoneError` when the document has gone. */
export const sure = (send: Send): Send => async (method, params) => {
  try {
    return await send(method, params)
  } catch (error) {
    throw goneBy(error)
  }
}

/** Sends a command that runs a script of ours. */
export async function evaluated(send: Send, method: string, params: object): Promise<Evaluated['result']> {
  const { result, exceptionDetails } = (await send(method, params)) as Evaluated // the answer of such commands
  if (exceptionDetails !== undefined) throw new Error('A script of ours failed in a frame.')
  return result
}

/** The document in a frame, by the frame's element; null when that is no frame, or has none. Rejects with `GoneError`. */
export async function placeIn(wire: Wire, send: Send, element: string): Promise<Place | null> {
  const { node } = (await send('DOM.describeNode', { objectId: element })) as { readonly node: { readonly frameId?: string } } // the answer of the command
  const { frameId } = node
  if (frameId === undefined) return null
  const far = sure((method, params) => wire.command(frameId, { method, params }))
  const world = async (there: Send): Promise<Place> => {
    const { executionContextId } = (await there('Page.createIsolatedWorld', { frameId, worldName })) as { readonly executionContextId: number } // the answer of the command
    return { send: there, context: executionContextId }
  }
  // In its page's process it is a frame; in a process of its own, it is the top.
  return world(send).catch(() => world(far))
}
