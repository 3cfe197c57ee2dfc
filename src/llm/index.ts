export { languageModel } from './model.ts'
export { defaultBaseUrls } from './provider.ts'
