export { languageModel, type LanguageModelOptions } from './model.ts'
export { defaultBaseUrls } from './provider.ts'
