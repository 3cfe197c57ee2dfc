export { browserEngine, type BrowserEngineOptions, type PageSource, type VisitTerms } from './browser.ts'
export { httpEngine, type HttpEngineOptions } from './http.ts'
