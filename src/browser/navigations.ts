/** What is looked at of a message of the protocol. */
interface Message {
  readonly id?: number
  readonly sessionId?: string
  readonly method?: string
  readonly params?: object
  readonly result?: unknown
  readonly error?: unknown
}

/** What the driver hears of documents that come while it waits for one of its own. */
export interface Navigations {
  /** Notes a command of the driver. */
  asked(message: Message): void
  /** What the driver is to hear now that the browser has said this. */
  heard(message: Message): readonly Message[]
}

/** A navigation that the driver has asked for and got no answer to. */
interface Going {
  readonly sessionId: string
  readonly frame: string
  readonly held: Message[]
}

const keyOf = ({ sessionId = '', id = 0 }: Message): string => `${sessionId} ${id}`

/** The frame and document that came, of an event that says so. */
function arrivalOf({ method, params }: Message): { readonly id: string; readonly loaderId: string } | null {
  if (method !== 'Page.frameNavigated') return null
  return (params as { readonly frame: { readonly id: string; readonly loaderId: string } }).frame // of that event
}

/** What is left to be told: the document that was asked for and what came after it; all, where none will come. */
function released({ held }: Going, { result, error }: Message): readonly Message[] {
  const { loaderId, errorText, isDownload } = (result ?? {}) as { readonly loaderId?: string; readonly errorText?: string; readonly isDownload?: boolean } // what `Page.navigate` answers
  if (error !== undefined || loaderId === undefined || errorText !== undefined || isDownload === true) return held
  const at = held.findIndex((one) => arrivalOf(one)?.loaderId === loaderId)
  return at < 0 ? [] : held.slice(at)
}

/**
 * Others navigate the pages of a session, too. The driver takes any document that comes while it asks for one for an interruption, even
 * where it was there before: so it is not told of a document that the one it asked for replaces.
 */
export function navigations(): Navigations {
  const going = new Map<string, Going>()
  return {
    asked(message) {
      const { method, sessionId, params } = message
      if (method !== 'Page.navigate' || sessionId === undefined) return
      going.set(keyOf(message), { sessionId, frame: String(Reflect.get(params ?? {}, 'frameId')), held: [] })
    },
    heard(message) {
      if (going.size === 0) return [message]
      const one = message.id === undefined ? undefined : going.get(keyOf(message))
      if (one !== undefined) {
        going.delete(keyOf(message))
        return [...released(one, message), message]
      }
      if (message.method === 'Target.detachedFromTarget') for (const [key, { sessionId }] of going) if (sessionId === Reflect.get(message.params ?? {}, 'sessionId')) going.delete(key)
      const arrival = arrivalOf(message)
      const waiting = arrival === null ? undefined : [...going.values()].findLast(({ sessionId, frame }) => sessionId === message.sessionId && frame === arrival.id)
      if (waiting === undefined) return [message]
      waiting.held.push(message)
      return []
    },
  }
}
