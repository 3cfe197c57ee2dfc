/** The inspected fields of a protocol message. */
interface Message {
  readonly id?: number
  readonly sessionId?: string
  readonly method?: string
  readonly params?: object
  readonly result?: unknown
  readonly error?: unknown
}

/** Filters what the driver hears of documents that arrive while it waits for one of its own. */
export interface Navigations {
  /** Records a command of the driver. */
  asked(message: Message): void
  /** The messages to pass to the driver after the browser sent this one. */
  heard(message: Message): readonly Message[]
}

/** A navigation that the driver requested and that was not answered yet. */
interface Going {
  readonly sessionId: string
  readonly frame: string
  readonly held: Message[]
}

const keyOf = ({ sessionId = '', id = 0 }: Message): string => `${sessionId} ${id}`

/** The frame and document of an event that announces a document; null for other messages. */
function arrivalOf({ method, params }: Message): { readonly id: string; readonly loaderId: string } | null {
  if (method !== 'Page.frameNavigated') return null
  return (params as { readonly frame: { readonly id: string; readonly loaderId: string } }).frame // the parameter of that event
}

/** The messages to pass on: from the requested document on; or all of them when that will not come. */
function released({ held }: Going, { result, error }: Message): readonly Message[] {
  const { loaderId, errorText, isDownload } = (result ?? {}) as { readonly loaderId?: string; readonly errorText?: string; readonly isDownload?: boolean } // the answer of `Page.navigate`
  if (error !== undefined || loaderId === undefined || errorText !== undefined || isDownload === true) return held
  const at = held.findIndex((one) => arrivalOf(one)?.loaderId === loaderId)
  return at < 0 ? [] : held.slice(at)
}

/**
 * Clients of a session navigate its pages, too. The driver takes any document that arrives during its own navigation for an
 * interruption, even one that was there before; so documents that its own replaces are withheld.
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
