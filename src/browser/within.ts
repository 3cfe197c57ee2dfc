import { withTimeout } from '../lib/with-timeout.ts'

/** Whether a step ended within its time, well or badly; afterwards nobody waits for it. */
export const within = (step: Promise<unknown>, ms: number): Promise<boolean> => withTimeout(step.then(() => true, () => true), ms, () => false)
