import type { Capture } from './capture.ts'
import type { Derivation } from './derivation.ts'

/** Whether a page is incomplete for want of its scripts: no browser was to be had, or none could render it. */
export const isUnrendered = ({ engine }: Pick<Capture, 'engine'>, { scriptDemand }: Pick<Derivation, 'scriptDemand'>): boolean => engine === 'http' && scriptDemand !== null
