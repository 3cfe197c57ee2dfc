// Finds and judges elements for `page.py`, in a world of its own that scripts of the page do not see.
;(() => {
  const visible = (el) => { const r = el.getBoundingClientRect(); return r.width > 0 && r.height > 0 && getComputedStyle(el).visibility === 'visible' }
  const squeezed = (text) => (text || '').replace(/\s+/g, ' ').trim()
  const has = (text, wanted, exact) => wanted.pattern ? new RegExp(...wanted.pattern).test(squeezed(text)) : exact ? squeezed(text) === squeezed(wanted) : squeezed(text).toLowerCase().includes(squeezed(wanted).toLowerCase())
  // A form answers with its field of that name.
  const childrenOf = (el) => Reflect.get(Element.prototype, 'children', el)
  const shown = (el) => el.tagName === 'INPUT' && /^(button|submit|reset)$/.test(el.type) ? el.value : el.textContent
  // As in the driver, selectors reach into open shadow trees, also with what comes before a space outside of one.
  const words = (css) => /^[\w\s.#:*-]+$/.test(css) ? css.trim().split(/\s+/) : [css]
  const within = (host, css) => words(css).flatMap((_, i, all) => i === 0 ? [css] : host.closest(all.slice(0, i).join(' ')) ? [all.slice(i).join(' ')] : [])
  const hosts = (root) => [root, ...root.querySelectorAll('*')].filter((el) => el.shadowRoot)
  const all = (root, css) => [...new Set([...root.querySelectorAll(css), ...hosts(root).flatMap((host) => within(host, css).flatMap((one) => all(host.shadowRoot, one)))])]
  const hasOwn = (el, wanted, exact) => !/^(SCRIPT|STYLE|NOSCRIPT|HEAD|TITLE)$/.test(el.tagName) && has(shown(el), wanted, exact) && ![...childrenOf(el)].some((child) => has(shown(child), wanted, exact))
  const inputRoles = { button: 'button', submit: 'button', reset: 'button', image: 'button', checkbox: 'checkbox', radio: 'radio', range: 'slider', number: 'spinbutton', search: 'searchbox', hidden: '' }
  const tagRoles = { BUTTON: 'button', TEXTAREA: 'textbox', UL: 'list', OL: 'list', LI: 'listitem', TABLE: 'table', TR: 'row', THEAD: 'rowgroup', TBODY: 'rowgroup', TFOOT: 'rowgroup', TD: 'cell', CAPTION: 'caption', NAV: 'navigation', MAIN: 'main', ARTICLE: 'article', IMG: 'img', OPTION: 'option', DIALOG: 'dialog', P: 'paragraph', PROGRESS: 'progressbar', ASIDE: 'complementary', HEADER: 'banner', FOOTER: 'contentinfo', H1: 'heading', H2: 'heading', H3: 'heading', H4: 'heading', H5: 'heading', H6: 'heading', HR: 'separator', SUMMARY: 'button', FIELDSET: 'group', DETAILS: 'group', OPTGROUP: 'group', FIGURE: 'figure', BLOCKQUOTE: 'blockquote', CODE: 'code', EM: 'emphasis', STRONG: 'strong', TIME: 'time', DT: 'term', DFN: 'term', DD: 'definition', MENU: 'list', METER: 'meter', OUTPUT: 'status', SEARCH: 'search' }
  const role = (el) => {
    const given = squeezed(el.getAttribute('role')).split(' ')[0]
    if (given) return given
    if (el.tagName === 'A' || el.tagName === 'AREA') return el.hasAttribute('href') ? 'link' : ''
    if (el.tagName === 'INPUT') return inputRoles[el.type] ?? (el.hasAttribute('list') ? 'combobox' : 'textbox')
    if (el.tagName === 'SELECT') return el.multiple || el.size > 1 ? 'listbox' : 'combobox'
    if (el.tagName === 'TH') return el.scope === 'row' ? 'rowheader' : 'columnheader'
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
  // What is in a box that is not shown has a display of its own.
  const unshown = (el) => getComputedStyle(el).display === 'none' || el.ariaHidden === 'true' || Boolean(above(el) && unshown(above(el)))
  const above = (el) => el.assignedSlot ?? el.parentElement ?? el.getRootNode().host
  const hidden = (el) => getComputedStyle(el).visibility !== 'visible' || unshown(el)
  const enabled = (el) => !(el.disabled || el.closest('fieldset:disabled') || el.getAttribute('aria-disabled') === 'true')
  const checked = (el) => el.getAttribute('role') ? el.getAttribute('aria-checked') === 'true' : el.checked === true
  const states = {
    checked, disabled: (el) => !enabled(el), pressed: (el) => el.getAttribute('aria-pressed') === 'true',
    expanded: (el) => el.getAttribute('aria-expanded') === 'true', selected: (el) => el.tagName === 'OPTION' ? el.selected : el.getAttribute('aria-selected') === 'true',
    level: (el) => Number(el.getAttribute('aria-level') ?? /^H([1-6])$/.exec(el.tagName)?.[1]),
  }
  const steps = {
    css: (root, { value }) => all(root, value),
    xpath: (root, { value }) => { const found = document.evaluate(value, root, null, XPathResult.ORDERED_NODE_SNAPSHOT_TYPE, null); return Array.from({ length: found.snapshotLength }, (_, i) => found.snapshotItem(i)) },
    text: (root, { value, exact }) => all(root, '*').filter((el) => hasOwn(el, value, exact)),
    role: (root, { value, name: wanted, exact, hidden: all_, states: given }) => all(root, '*').filter((el) => role(el) === value && (all_ || !hidden(el)) && (wanted === null || has(name(el), wanted, exact)) && Object.entries(given).every(([key, state]) => states[key](el) === state)),
    label: (root, { value, exact }) => all(root, 'input, textarea, select, button, [aria-label], [aria-labelledby]').filter((el) => [...labels(el), el.getAttribute('aria-label') || '', el.hasAttribute('aria-labelledby') ? name(el) : ''].some((text) => text && has(text, value, exact))),
    attribute: (root, { attribute, value, exact }) => all(root, `[${attribute}]`).filter((el) => has(el.getAttribute(attribute), value, exact)),
    any: (root, { parts }) => sorted(parts.flatMap((one) => find(one, root))),
  }
  const narrowing = {
    nth: (found, { value }) => { const one = found.at(value); return one === undefined ? [] : [one] },
    hasText: (found, { value }) => found.filter((el) => has(el.textContent, value, false)),
    hasNotText: (found, { value }) => found.filter((el) => !has(el.textContent, value, false)),
    ownText: (found, { value, exact }) => found.filter((el) => hasOwn(el, value, exact)),
    has: (found, { parts }) => found.filter((el) => find(parts, el).length > 0),
    hasNot: (found, { parts }) => found.filter((el) => find(parts, el).length === 0),
    and: (found, { parts }) => { const also = new Set(find(parts)); return found.filter((el) => also.has(el)) },
    or: (found, { parts }) => sorted([...found, ...find(parts)]),
    is: (found, { value }) => found.filter((el) => el.matches(value)),
    visible: (found, { value }) => found.filter((el) => visible(el) === value),
  }
  const sorted = (found) => [...new Set(found)].sort((a, b) => a.compareDocumentPosition(b) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1)
  const find = (parts, root) => {
    let found = [root || document]
    for (const part of parts) found = narrowing[part.kind] ? narrowing[part.kind](found, part) : [...new Set(found.flatMap((one) => steps[part.kind](one, part)))]
    return found
  }
  const frame = () => new Promise((resolve) => { const timer = setTimeout(resolve, 100); requestAnimationFrame(() => { clearTimeout(timer); resolve() }) })
  const middle = (r) => ({ x: r.x + r.width / 2, y: r.y + r.height / 2 })
  const place = async (el, force) => {
    if (!el.isConnected) return { wait: 'element is not attached to the DOM' }
    if (force) { el.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' }); return visible(el) ? middle(el.getBoundingClientRect()) : { error: 'Element is not visible' } }
    if (!visible(el)) return { wait: 'element is not visible' }
    if (!enabled(el)) return { wait: 'element is not enabled' }
    el.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' })
    const before = el.getBoundingClientRect()
    await frame()
    const r = el.getBoundingClientRect()
    if (r.x !== before.x || r.y !== before.y || r.width !== before.width || r.height !== before.height) return { wait: 'element is not stable' }
    const { x, y } = middle(r)
    let hit = document.elementFromPoint(x, y)
    while (hit && hit.shadowRoot && hit.shadowRoot.elementFromPoint(x, y) && hit.shadowRoot.elementFromPoint(x, y) !== hit) hit = hit.shadowRoot.elementFromPoint(x, y)
    const label = hit && hit.closest('label')
    if (!hit || !(el.contains(hit) || hit.contains(el) && hit.closest('button, a') === hit || label && label.control === el || el.getRootNode() !== document)) return { wait: hit ? `<${hit.tagName.toLowerCase()}> intercepts pointer events` : 'element is outside of the viewport' }
    return { x, y }
  }
  const changed = (el) => { for (const type of ['input', 'change']) el.dispatchEvent(new Event(type, { bubbles: true, composed: true })) }
  // What is done to a label is meant for its field.
  const field = (el) => el.matches('a, input, textarea, button, select, [role]') || el.isContentEditable ? el : el.closest('label')?.control ?? el
  const focus = (given, fill) => {
    if (!given.isConnected) return { wait: 'element is not attached to the DOM' }
    if (!fill) { given.focus(); return {} }
    const el = field(given)
    if (!fill.force && !visible(el)) return { wait: 'element is not visible' }
    if (!fill.force && !(enabled(el) && !el.readOnly)) return { wait: 'element is not editable' }
    if (el.tagName === 'INPUT' && /^(color|date|time|datetime-local|month|range|week)$/.test(el.type)) { el.focus(); el.value = fill.text; changed(el); return { set: true } }
    if (el.tagName === 'INPUT' && /^(checkbox|radio|file|button|submit|reset|image|hidden)$/.test(el.type)) return { error: `Input of type "${el.type}" cannot be filled` }
    el.focus()
    if (el.tagName === 'INPUT' || el.tagName === 'TEXTAREA') el.select()
    else if (el.isContentEditable) { const range = document.createRange(); range.selectNodeContents(el); const s = getSelection(); s.removeAllRanges(); s.addRange(range) }
    else return { error: 'Element is not an <input>, <textarea> or [contenteditable] element' }
    return { empty: fill.text === '' }
  }
  const select = (given, wanted, force) => {
    const el = field(given)
    if (el.tagName !== 'SELECT') return { error: 'Element is not a <select> element' }
    if (!force && !visible(el)) return { wait: 'element is not visible' }
    if (!force && !enabled(el)) return { wait: 'element is not enabled' }
    const fits = { index: (option, value) => option.index === value, label: (option, value) => squeezed(option.label) === squeezed(value), value: (option, value) => option.value === value || squeezed(option.label) === squeezed(value) }
    const meant = wanted.map((one) => { const [[key, value]] = Object.entries(one); return [...el.options].find((option) => fits[key](option, value)) })
    const picked = el.multiple ? meant : meant.slice(0, 1)
    if (picked.includes(undefined)) return { wait: 'did not find some options' }
    if (!force && !picked.every(enabled)) return { wait: 'option being selected is not enabled' }
    el.focus()
    for (const option of el.options) option.selected = picked.includes(option)
    changed(el)
    return { values: [...el.options].filter((option) => picked.includes(option)).map((option) => option.value) }
  }
  const boxOf = ({ x, y, width, height }) => ({ x, y, width, height })
  const only = (el, fits, what) => { if (!fits) throw new Error(what); return el }
  const told = {
    inner_text: (el) => only(el, el instanceof HTMLElement, 'Node is not an HTMLElement').innerText, text_content: (el) => el.textContent, inner_html: (el) => el.innerHTML,
    input_value: (el) => only(field(el), /^(INPUT|TEXTAREA|SELECT)$/.test(field(el).tagName), 'Node is not an <input>, <textarea> or <select> element').value,
    get_attribute: (el, attribute) => el.getAttribute(attribute), is_visible: visible, is_enabled: (el) => enabled(field(el)), is_disabled: (el) => !enabled(field(el)), is_hidden: (el) => !visible(el),
    is_editable: (el) => enabled(field(el)) && only(field(el), /^(INPUT|TEXTAREA|SELECT)$/.test(field(el).tagName) || field(el).isContentEditable, 'Element is not an <input>, <textarea>, <select> or [contenteditable] and does not have a role allowing [aria-readonly]').readOnly !== true,
    is_checked: (el) => checked(only(field(el), /^(checkbox|radio)$/.test(field(el).type) || /^(checkbox|radio|switch|menuitemcheckbox|menuitemradio|option|treeitem)$/.test(field(el).getAttribute('role')), 'Not a checkbox or radio button')),
    bounding_box: (el) => el.getClientRects().length === 0 ? null : boxOf(el.getBoundingClientRect()),
    page_box: (el) => { const r = boxOf(el.getBoundingClientRect()); return { ...r, x: r.x + scrollX, y: r.y + scrollY } },
    scroll: (el) => el.scrollIntoView({ block: 'center', behavior: 'instant' }), blur: (el) => el.blur(),
    set_files: (el, files) => {
      const input = only(field(el), field(el).type === 'file', 'Node is not an HTMLInputElement of type "file"')
      const chosen = new DataTransfer()
      for (const { name, type, data } of files) chosen.items.add(new File([Uint8Array.from(atob(data), (one) => one.charCodeAt(0))], name, { type }))
      if (files.length > 1 && !input.multiple) throw new Error('Non-multiple file input can only accept single file')
      input.files = chosen.files
      changed(input)
    },
    select_text: (el) => { if (el.select) return void (el.focus(), el.select()); const range = document.createRange(); range.selectNodeContents(el); const s = getSelection(); s.removeAllRanges(); s.addRange(range) },
  }
  const tell = (el, what, argument) => { try { return { value: told[what](el, argument) ?? null } } catch (error) { return { error: error.message } } }
  /** Whether it is so; how many there are, where there should be one. */
  const state = (parts, wanted, strict) => {
    const found = find(parts)
    const one = found[0]
    if (strict && found.length > 1) return found.length
    if (wanted === 'attached') return one !== undefined
    if (wanted === 'detached') return one === undefined
    return wanted === 'visible' ? one !== undefined && visible(one) : one === undefined || !visible(one)
  }
  globalThis.trawl = { find, place, focus, select, tell, state }
})()
