export { browserEngine, type BrowserEngineOptions, type PageSource } from './browser.ts'
export { httpEngine, type HttpEngineOptions } from './http.ts'
