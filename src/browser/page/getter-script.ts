/**
 * Makes `getter(prototype, name)` for a script in the isolated world: a function that reads a property of an object past what
 * stands in its way, such as a form with a field of that name.
 */
export const getterScript = String.raw`const getter = (proto, name) => {
    const get = Object.getOwnPropertyDescriptor(proto, name).get
    return (object) => Reflect.apply(get, object, [])
  }`
