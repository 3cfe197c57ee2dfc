export { httpEngine, type HttpEngineOptions } from './http.ts'
