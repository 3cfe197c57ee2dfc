/**
 * For `node --import`: hides the package whose WebSocket the official client uses when Node has none, so that it polls
 * instead.
 */
import { register } from 'node:module'

const hooks = `export const resolve = (name, context, next) => {
  if (name === 'undici') throw Object.assign(new Error('hidden'), { code: 'ERR_MODULE_NOT_FOUND' })
  return next(name, context)
}`
register(`data:text/javascript,${encodeURIComponent(hooks)}`)
