// What code in the small interpreter finds: `page`, `context` and `browser` with the driver's names for what is done most. It runs inside,
// so nothing here keeps anything out. Its last value is for the interpreter.
;(() => {
  const own = { url: 'about:blank', finish: async ({ value }) => textOf(await value) }
  const { doorCall: call, doorSleep: sleep, doorSay: say } = globalThis
  for (const name of ['doorCall', 'doorSleep', 'doorSay']) delete globalThis[name]

  /** What stands for an object of the driver, of which JSON would tell its methods. */
  const names = new WeakMap()
  const nameOf = (value) => names.get(value)?.()
  const textOf = (value) => {
    if (value === undefined) return undefined
    if (typeof value === 'string') return value
    if (names.has(value)) return nameOf(value)
    // What JSON would tell as something else.
    if (typeof value === 'function' || typeof value === 'symbol' || typeof value === 'bigint' || typeof value === 'number' || value instanceof RegExp) return String(value)
    if (value instanceof Error) return `${value.name}: ${value.message}`
    if (value instanceof Map || value instanceof Set) return `${value.constructor.name}(${value.size}) ${textOf([...value])}`
    try {
      return JSON.stringify(value, (_key, one) => nameOf(one) ?? one) ?? String(value)
    } catch {
      return String(value)
    }
  }
  const printed = (value) => textOf(value) ?? 'undefined'
  const printer = (stream) => (...values) => say(stream, `${values.map(printed).join(' ')}\n`)
  globalThis.console = { log: printer('out'), info: printer('out'), debug: printer('out'), warn: printer('err'), error: printer('err') }

  let timers = 0
  const alive = new Set()
  globalThis.setTimeout = (work, ms = 0, ...values) => {
    const id = ++timers
    alive.add(id)
    sleep(Number(ms)).then(() => alive.delete(id) && work(...values)).catch((error) => say('err', `${printed(error)}\n`))
    return id
  }
  globalThis.clearTimeout = (id) => void alive.delete(id)

  /** The steps that lead to a locator. */
  const stepsOf = new WeakMap()
  const packed = (_key, value) => {
    if (typeof value === 'function') return { __function: String(value) }
    if (value instanceof RegExp) return { __pattern: [value.source, value.flags] }
    return stepsOf.has(value) ? { __steps: stepsOf.get(value) } : value
  }
  const unpacked = (_key, value) => (typeof value?.$number === 'string' ? Number(value.$number) : value)
  const ask = async (target, steps, method, values) => {
    const answer = JSON.parse(await call(JSON.stringify({ target, steps, method, values }, packed)), unpacked)
    if (typeof answer.url === 'string') own.url = answer.url
    return answer.value
  }
  const picture = (text) => Object.assign(text === undefined ? {} : { base64: text }, { toString: () => text })

  // What is not there is named, rather than being `undefined`.
  const named = (name, methods, text = () => name) => {
    const made = new Proxy(methods, {
      get(all, key) {
        if (typeof key === 'symbol' || key === 'then' || key === 'toJSON') return undefined
        if (Object.hasOwn(all, key)) return all[key]
        throw new Error(`${name}.${key} is not available in the small interpreter of this machine`)
      },
    })
    names.set(made, text)
    return made
  }
  const asking = (target, steps, names) => Object.fromEntries(names.map((method) => [method, (...values) => ask(target, steps, method, values)]))

  const ofElement = 'click dblclick hover focus fill type press check uncheck setChecked selectOption innerText innerHTML textContent inputValue getAttribute isVisible isHidden isEnabled isDisabled isChecked isEditable'.split(' ')
  const ofLocator = [...ofElement, ...'pressSequentially clear tap blur count allInnerTexts allTextContents boundingBox waitFor evaluate evaluateAll scrollIntoViewIfNeeded ariaSnapshot'.split(' ')]
  const ofPage = [...ofElement, ...'title content setContent evaluate waitForTimeout waitForLoadState waitForURL waitForFunction bringToFront setViewportSize ariaSnapshot'.split(' ')]
  const finders = 'locator getByRole getByText getByLabel getByPlaceholder getByAltText getByTitle getByTestId'.split(' ')

  const finding = (steps) => Object.fromEntries(finders.map((method) => [method, (...values) => locator([...steps, [method, values]])]))
  const written = (steps) => steps.map(([method, values]) => `${method}(${values.map(quoted).join(', ')})`).join('.')
  const isOptions = (value) => typeof value === 'object' && value !== null && !names.has(value) && value.constructor === Object
  const quoted = (value) => {
    if (typeof value === 'string') return `'${value}'`
    if (isOptions(value)) return `{ ${Object.entries(value).map(([key, one]) => `${key}: ${quoted(one)}`).join(', ')} }`
    return stepsOf.has(value) ? written(stepsOf.get(value)) : textOf(value)
  }
  function locator(steps) {
    const next = (method) => (...values) => locator([...steps, [method, values]])
    const made = named('locator', {
      ...asking('page', steps, ofLocator),
      ...finding(steps),
      first: next('first'),
      last: next('last'),
      nth: next('nth'),
      filter: next('filter'),
      or: next('or'),
      and: next('and'),
      screenshot: async (...values) => picture(await ask('page', steps, 'screenshot', values)),
      all: async () => Array.from({ length: await ask('page', steps, 'count', []) }, (_, at) => locator([...steps, ['nth', [at]]])),
    }, () => `Locator ${written(steps)}`)
    stepsOf.set(made, steps)
    return made
  }
  // Facts of an answer, by the names that the driver has for them.
  const response = (facts) => facts && named('response', Object.fromEntries(Object.entries(facts).map(([name, value]) => [name, () => value])), () => `Response ${facts.status} ${facts.url}`)
  const going = Object.fromEntries('goto reload goBack goForward'.split(' ').map((method) => [method, async (...values) => response(await ask('page', [], method, values))]))
  async function waitForSelector(selector, ...options) {
    await ask('page', [], 'waitForSelector', [selector, ...options])
    return ['hidden', 'detached'].includes(options[0]?.state) ? null : locator([['locator', [selector]], ['first', []]])
  }

  const page = named('page', {
    ...asking('page', [], ofPage),
    ...going,
    ...finding([]),
    waitForSelector,
    url: () => own.url,
    isClosed: () => false,
    screenshot: async (...values) => picture(await ask('page', [], 'screenshot', values)),
    setDefaultTimeout: (ms) => void ask('page', [], 'setDefaultTimeout', [ms]).catch((error) => say('err', `${printed(error)}\n`)),
    keyboard: named('page.keyboard', asking('keyboard', [], 'press type insertText down up'.split(' '))),
    mouse: named('page.mouse', asking('mouse', [], 'click dblclick move down up wheel'.split(' '))),
    context: () => context,
  }, () => `Page ${own.url}`)
  const context = named('context', { ...asking('context', [], ['cookies', 'clearCookies']), pages: () => [page], browser: () => browser }, () => 'BrowserContext')
  const browser = named('browser', { isConnected: () => true, contexts: () => [context] }, () => 'Browser')
  Object.assign(globalThis, { page, context, browser })
  return own
})()
