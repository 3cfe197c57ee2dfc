/** `node --import`: hides the WebSocket that the official client borrows from a package where Node has none, so that it asks instead. */
import { register } from 'node:module'

const hooks = `export const resolve = (name, context, next) => {
  if (name === 'undici') throw Object.assign(new Error('hidden'), { code: 'ERR_MODULE_NOT_FOUND' })
  return next(name, context)
}`
register(`data:text/javascript,${encodeURIComponent(hooks)}`)
