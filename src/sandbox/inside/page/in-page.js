// Finds and judges elements for `page.py`, in a world of its own that scripts of the page do not see.
;(() => {
  const visible = (el) => { const r = el.getBoundingClientRect(); return r.width > 0 && r.height > 0 && getComputedStyle(el).visibility === 'visible' }
  const squeezed = (text) => (text || '').replace(/\s+/g, ' ').trim()
  const has = (text, wanted, exact) => exact ? squeezed(text) === squeezed(wanted) : squeezed(text).toLowerCase().includes(squeezed(wanted).toLowerCase())
  // A form answers with its field of that name.
  const childrenOf = (el) => Reflect.get(Element.prototype, 'children', el)
  const shown = (el) => el.tagName === 'INPUT' && /^(button|submit|reset)$/.test(el.type) ? el.value : el.textContent
  // As in the driver, selectors reach into open shadow trees, also with what comes before a space outside of one.
  const words = (css) => /^[\w\s.#:*-]+$/.test(css) ? css.trim().split(/\s+/) : [css]
  const within = (host, css) => words(css).flatMap((_, i, all) => i === 0 ? [css] : host.closest(all.slice(0, i).join(' ')) ? [all.slice(i).join(' ')] : [])
  const hosts = (root) => [root, ...root.querySelectorAll('*')].filter((el) => el.shadowRoot)
  const all = (root, css) => [...new Set([...root.querySelectorAll(css), ...hosts(root).flatMap((host) => within(host, css).flatMap((one) => all(host.shadowRoot, one)))])]
  const byText = (root, wanted, exact) => all(root, '*').filter((el) => !/^(SCRIPT|STYLE|NOSCRIPT|HEAD|TITLE)$/.test(el.tagName) && has(shown(el), wanted, exact) && ![...childrenOf(el)].some((child) => has(shown(child), wanted, exact)))
  const inputRoles = { button: 'button', submit: 'button', reset: 'button', image: 'button', checkbox: 'checkbox', radio: 'radio', range: 'slider', number: 'spinbutton', search: 'searchbox', hidden: '' }
  const tagRoles = { BUTTON: 'button', TEXTAREA: 'textbox', UL: 'list', OL: 'list', LI: 'listitem', TABLE: 'table', TR: 'row', TD: 'cell', TH: 'columnheader', NAV: 'navigation', MAIN: 'main', ARTICLE: 'article', IMG: 'img', OPTION: 'option', DIALOG: 'dialog', P: 'paragraph', PROGRESS: 'progressbar', ASIDE: 'complementary', HEADER: 'banner', FOOTER: 'contentinfo', H1: 'heading', H2: 'heading', H3: 'heading', H4: 'heading', H5: 'heading', H6: 'heading', HR: 'separator', SUMMARY: 'button', FIELDSET: 'group' }
  const role = (el) => {
    const given = squeezed(el.getAttribute('role')).split(' ')[0]
    if (given) return given
    if (el.tagName === 'A' || el.tagName === 'AREA') return el.hasAttribute('href') ? 'link' : ''
    if (el.tagName === 'INPUT') return inputRoles[el.type] ?? (el.hasAttribute('list') ? 'combobox' : 'textbox')
    if (el.tagName === 'SELECT') return el.multiple || el.size > 1 ? 'listbox' : 'combobox'
    if (el.tagName === 'FORM' || el.tagName === 'SECTION') return name(el) ? { FORM: 'form', SECTION: 'region' }[el.tagName] : ''
    return tagRoles[el.tagName] ?? ''
  }
  const labels = (el) => [...(el.tagName === 'FORM' ? [] : el.labels || [])].map((label) => label.textContent)
  const name = (el) => {
    const by = squeezed(el.getAttribute('aria-labelledby'))
    if (by) return squeezed(by.split(' ').map((id) => document.getElementById(id)?.textContent ?? '').join(' '))
    const own = el.getAttribute('aria-label') || labels(el).join(' ')
    if (squeezed(own)) return squeezed(own)
    if (el.tagName === 'IMG') return squeezed(el.alt)
    if (el.tagName === 'INPUT') return squeezed(/^(button|submit|reset)$/.test(el.type) ? el.value || { submit: 'Submit', reset: 'Reset' }[el.type] : el.getAttribute('title') || el.getAttribute('placeholder'))
    if (/^(TEXTAREA|SELECT|FORM|SECTION|NAV|DIALOG|TABLE|UL|OL|MAIN)$/.test(el.tagName)) return squeezed(el.getAttribute('title') || el.getAttribute('placeholder'))
    return squeezed(el.textContent + ' ' + [...el.querySelectorAll('img[alt]')].map((img) => img.alt).join(' ')) || squeezed(el.getAttribute('title'))
  }
  const hidden = (el) => el.closest('[aria-hidden=true]') !== null || getComputedStyle(el).display === 'none' || getComputedStyle(el).visibility !== 'visible'
  const steps = {
    css: (root, { value }) => all(root, value),
    xpath: (root, { value }) => { const found = document.evaluate(value, root, null, XPathResult.ORDERED_NODE_SNAPSHOT_TYPE, null); return Array.from({ length: found.snapshotLength }, (_, i) => found.snapshotItem(i)) },
    text: (root, { value, exact }) => byText(root, value, exact),
    role: (root, { value, name: wanted, exact }) => all(root, '*').filter((el) => role(el) === value && !hidden(el) && (wanted === null || has(name(el), wanted, exact))),
    label: (root, { value, exact }) => all(root, 'input, textarea, select, button, [aria-label], [aria-labelledby]').filter((el) => [...labels(el), el.getAttribute('aria-label') || '', el.hasAttribute('aria-labelledby') ? name(el) : ''].some((text) => text && has(text, value, exact))),
    attribute: (root, { attribute, value, exact }) => all(root, `[${attribute}]`).filter((el) => attribute === 'data-testid' ? el.getAttribute(attribute) === value : has(el.getAttribute(attribute), value, exact)),
  }
  const narrowing = {
    nth: (found, { value }) => { const one = found.at(value); return one === undefined ? [] : [one] },
    hasText: (found, { value }) => found.filter((el) => has(el.textContent, value, false)),
    visible: (found) => found.filter(visible),
  }
  const find = (parts, root) => {
    let found = [root || document]
    for (const part of parts) found = narrowing[part.kind] ? narrowing[part.kind](found, part) : [...new Set(found.flatMap((one) => steps[part.kind](one, part)))]
    return found
  }
  const frame = () => new Promise((resolve) => { const timer = setTimeout(resolve, 100); requestAnimationFrame(() => { clearTimeout(timer); resolve() }) })
  const enabled = (el) => !(el.disabled || el.closest('fieldset:disabled') || el.getAttribute('aria-disabled') === 'true')
  const place = async (el) => {
    if (!el.isConnected) return { wait: 'element is not attached to the DOM' }
    if (!visible(el)) return { wait: 'element is not visible' }
    if (!enabled(el)) return { wait: 'element is not enabled' }
    el.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' })
    const before = el.getBoundingClientRect()
    await frame()
    const r = el.getBoundingClientRect()
    if (r.x !== before.x || r.y !== before.y || r.width !== before.width || r.height !== before.height) return { wait: 'element is not stable' }
    const [x, y] = [r.x + r.width / 2, r.y + r.height / 2]
    let hit = document.elementFromPoint(x, y)
    while (hit && hit.shadowRoot && hit.shadowRoot.elementFromPoint(x, y) && hit.shadowRoot.elementFromPoint(x, y) !== hit) hit = hit.shadowRoot.elementFromPoint(x, y)
    const label = hit && hit.closest('label')
    if (!hit || !(el.contains(hit) || hit.contains(el) && hit.closest('button, a') === hit || label && label.control === el || el.getRootNode() !== document)) return { wait: hit ? `<${hit.tagName.toLowerCase()}> intercepts pointer events` : 'element is outside of the viewport' }
    return { x, y }
  }
  const changed = (el) => { for (const type of ['input', 'change']) el.dispatchEvent(new Event(type, { bubbles: true, composed: true })) }
  const focus = (el, fill) => {
    if (!el.isConnected) return { wait: 'element is not attached to the DOM' }
    if (!fill) { el.focus(); return {} }
    if (!visible(el)) return { wait: 'element is not visible' }
    if (!enabled(el) || el.readOnly) return { wait: 'element is not editable' }
    if (el.tagName === 'INPUT' && /^(color|date|time|datetime-local|month|range|week)$/.test(el.type)) { el.focus(); el.value = fill.text; changed(el); return { set: true } }
    if (el.tagName === 'INPUT' && /^(checkbox|radio|file|button|submit|reset|image|hidden)$/.test(el.type)) return { error: `Input of type "${el.type}" cannot be filled` }
    el.focus()
    if (el.tagName === 'INPUT' || el.tagName === 'TEXTAREA') el.select()
    else if (el.isContentEditable) { const range = document.createRange(); range.selectNodeContents(el); const s = getSelection(); s.removeAllRanges(); s.addRange(range) }
    else return { error: 'Element is not an <input>, <textarea> or [contenteditable] element' }
    return { empty: fill.text === '' }
  }
  const select = (el, wanted) => {
    if (el.tagName !== 'SELECT') return { error: 'Element is not a <select> element' }
    if (!enabled(el)) return { wait: 'element is not enabled' }
    const matches = (option, i) => wanted.some((one) => one.index === i || one.value !== undefined && (option.value === one.value || one.either && squeezed(option.label) === squeezed(one.value)) || one.label !== undefined && squeezed(option.label) === squeezed(one.label))
    const picked = [...el.options].filter(matches)
    if (picked.length === 0 && wanted.length > 0) return { wait: 'did not find some options' }
    if (!el.multiple) picked.splice(1)
    for (const option of el.options) option.selected = picked.includes(option)
    changed(el)
    return { values: picked.map((option) => option.value) }
  }
  const checked = (el) => el.getAttribute('role') ? el.getAttribute('aria-checked') === 'true' : el.checked === true
  const told = {
    inner_text: (el) => el.innerText, text_content: (el) => el.textContent, inner_html: (el) => el.innerHTML, input_value: (el) => el.value,
    get_attribute: (el, attribute) => el.getAttribute(attribute), is_visible: visible, is_enabled: enabled, is_checked: checked, is_disabled: (el) => !enabled(el), is_hidden: (el) => !visible(el),
    bounding_box: (el) => { const r = el.getBoundingClientRect(); return { x: r.x, y: r.y, width: r.width, height: r.height } },
  }
  const state = (parts, wanted) => {
    const found = find(parts)
    const one = found[0]
    if (wanted === 'attached') return one !== undefined
    if (wanted === 'detached') return one === undefined
    return wanted === 'visible' ? one !== undefined && visible(one) : one === undefined || !visible(one)
  }
  globalThis.trawl = { find, place, focus, select, checked, told, state }
})()
