export { browserEngine } from './browser.ts'
export { httpEngine } from './http.ts'
