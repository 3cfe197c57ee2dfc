import type { Call } from '../../domain/call.ts'

/** What a check of `trawl doctor` found: something that works, that is not there, or that is configured and does not work. */
export interface Finding {
  readonly state: 'ok' | 'absent' | 'broken'
  readonly text: string
}

export const ok = (text: string): Finding => ({ state: 'ok', text })
export const absent = (text: string): Finding => ({ state: 'absent', text })
export const broken = (text: string): Finding => ({ state: 'broken', text })

/** The words of a failure. */
export const reason = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** The call of a check that may take so long. */
export const callOf = (limitMs: number, log: Call['log'] = () => undefined): Call => ({ id: 'doctor', team: 'doctor', signal: AbortSignal.timeout(limitMs), deadline: Date.now() + limitMs, retention: 'normal', log })
