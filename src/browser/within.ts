import { withTimeout } from '../lib/with-timeout.ts'

/** Whether a step settled within its time, either way; afterwards nobody waits for it. */
export const within = (step: Promise<unknown>, ms: number): Promise<boolean> => withTimeout(step.then(() => true, () => true), ms, () => false)
