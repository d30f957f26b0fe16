// Elements without markup: whatever a document says becomes text, never HTML.

export function h(tag, attrs = {}, ...children) {
  const element = document.createElement(tag)
  for (const [name, value] of Object.entries(attrs || {})) {
    if (value === undefined || value === null || value === false) continue
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value)
    else if (name === 'class') element.className = value
    else if (name === 'dataset') Object.assign(element.dataset, value)
    else if (name === 'value' || name === 'checked' || name === 'disabled') element[name] = value
    else element.setAttribute(name, value === true ? '' : String(value))
  }
  put(element, ...children)
  return element
}

export function put(element, ...children) {
  for (const child of children.flat(Infinity)) {
    if (child === undefined || child === null || child === false) continue
    element.append(child instanceof Node ? child : document.createTextNode(String(child)))
  }
  return element
}

export function fill(element, ...children) {
  element.replaceChildren()
  return put(element, ...children)
}

export const button = (text, onclick, attrs = {}) => h('button', { type: 'button', onclick, ...attrs }, text)

let count = 0
export const fresh = (stem) => `fb-${stem}-${++count}`

/** A label, its control and one sentence of help under it. */
export function field(label, control, help, attrs = {}) {
  const id = control.id || (control.id = fresh('field'))
  const note = help ? h('small', { id: `${id}-help` }, help) : null
  if (note) control.setAttribute('aria-describedby', note.id)
  return h('div', { class: 'fb-field', ...attrs }, h('label', { for: id }, label), control, note)
}

export function select(options, value, onchange, attrs = {}) {
  const element = h('select', { onchange: (event) => onchange?.(event.target.value), ...attrs },
    options.map(([key, text]) => h('option', { value: key }, text)))
  element.value = value
  return element
}

/** A dialog with a heading; resolves with what `close` is given, null where it was dismissed. */
export function dialog(title, body, actions, attrs = {}) {
  return new Promise((resolve) => {
    const id = fresh('title')
    const before = document.activeElement
    const close = (value) => { element.close(); element.remove(); before?.focus?.(); resolve(value) }
    const element = h('dialog', { class: 'fb-dialog', 'aria-labelledby': id, ...attrs },
      h('h2', { id }, title), h('div', { class: 'fb-dialog-body' }, typeof body === 'function' ? body(close) : body),
      h('div', { class: 'fb-actions' }, actions.map(([text, value, kind]) =>
        button(text, () => close(typeof value === 'function' ? value() : value), { class: kind }))))
    element.addEventListener('cancel', (event) => { event.preventDefault(); close(null) })
    document.body.append(element)
    element.showModal()
  })
}

/** A sentence for the person, read out too; it goes by itself, an error only when it is closed. */
export function say(text, kind = 'info') {
  let place = document.getElementById('fb-said')
  if (!place) {
    place = h('div', { id: 'fb-said', role: 'status', 'aria-live': 'polite' })
    document.body.append(place)
  }
  const said = [...place.children].find((one) => one.firstChild.textContent === text)
  if (said) return said
  const note = h('div', { class: `fb-said-${kind}`, role: kind === 'error' ? 'alert' : null }, h('span', {}, text),
    button('×', () => note.remove(), { 'aria-label': 'OK' }))
  place.append(note)
  while (place.childElementCount > 3) place.firstChild.remove()
  if (kind !== 'error') setTimeout(() => note.remove(), 6000)
  return note
}
