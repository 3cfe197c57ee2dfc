export { type ContextTerms, contextTerms } from './device/terms.ts'
export { type Visited, visit, type VisitOptions } from './page/visit.ts'
