import type { CdpChannel, Language } from '../../domain/sessions/sandbox.ts'

/** Decides which of a session's interpreters learn of page dialogs: a driver that hears of one without a listener dismisses it. */
export interface Dialogs {
  /** The connection of an interpreter; dialogs wait in it while another one runs. */
  line(language: Language, channel: CdpChannel): CdpChannel
  /** A run in that language; at its end the others learn of the dialogs that it left open. */
  during<T>(language: Language, work: () => Promise<T>): Promise<T>
  /** Whether interpreters leave the dialogs of runs of commands alone, because those answer them. */
  leave(alone: boolean): void
}

interface Member {
  readonly language: Language
  /** Whether it listens to dialogs by now. */
  hears: boolean
  /** Dialog messages held back, by protocol session. */
  readonly held: Map<string, string>
  /** Protocol sessions in which commands have answered the one dialog that they were to answer. */
  readonly served: Set<string>
  tell: (text: string) => void
}

/** A dialog that opens or closes; null for any other message. */
function dialogIn(text: string): { readonly opens: boolean; readonly session: string } | null {
  // Of an answer, a page decides how long it takes to parse.
  if (!text.startsWith('{"method":"Page.javascriptDialog')) return null
  const { method, sessionId = '' } = JSON.parse(text) as { readonly method?: string; readonly sessionId?: string } // of the protocol
  if (method !== 'Page.javascriptDialogOpening' && method !== 'Page.javascriptDialogClosed') return null
  return { opens: method === 'Page.javascriptDialogOpening', session: sessionId }
}

/** Holds dialogs back for the interpreter that runs. */
export function dialogs(): Dialogs {
  const members = new Set<Member>()
  let running: { readonly language: Language } | null = null
  let left = false

  const hears = (language: Language): boolean => (language === 'bash' ? left : [...members].some((one) => one.language === language && one.hears))
  const isOfAnother = (language: Language): boolean => running !== null && running.language !== language && hears(running.language)

  /** Whether the interpreter should get the message now. */
  function isFor(member: Member, text: string): boolean {
    const dialog = dialogIn(text)
    if (dialog === null) return true
    if (!dialog.opens) {
      const answered = member.held.delete(dialog.session)
      // What comes next may be here before the commands say that they are done.
      if (answered && running?.language === 'bash') member.served.add(dialog.session)
      return !answered
    }
    if (!isOfAnother(member.language) || member.served.has(dialog.session)) return true
    member.held.set(dialog.session, text)
    return false
  }

  function release(): void {
    for (const { held, tell } of members) {
      for (const text of held.values()) tell(text)
      held.clear()
    }
  }

  return {
    line(language, channel) {
      const member: Member = { language, hears: false, held: new Map(), served: new Set(), tell: () => undefined }
      members.add(member)
      void channel.closed.then(() => members.delete(member))
      return {
        closed: channel.closed,
        close: () => channel.close(),
        send(text) {
          if (!member.hears) member.hears = text.includes('"Page.enable"')
          channel.send(text)
        },
        onMessage(listener) {
          member.tell = listener ?? ((): void => undefined)
          channel.onMessage(listener === null ? null : (text) => isFor(member, text) && listener(text))
        },
      }
    },
    leave(alone) {
      left = alone
      for (const { served } of members) served.clear()
    },
    async during(language, work) {
      const mine = { language }
      running = mine
      try {
        return await work()
      } finally {
        // An abandoned run may end after the next has begun.
        if (running === mine) {
          running = null
          release()
        }
      }
    },
  }
}
