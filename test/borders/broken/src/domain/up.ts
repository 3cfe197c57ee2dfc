import { use } from '../app/use.ts'

export const up = use
