// Parts that several screens share: tables, tabs within a page, files chosen or dropped, downloads, a place in a document.
import { dialog, field, fill, h, say } from './dom.js'
import { ask, go, n, state, t, upload } from './store.js'
import { who } from './bar.js'

/** A table: heads are words' keys, '' for a column of buttons; the first cell of a row is its head. */
export function grid(heads, rows, attrs = {}) {
  return h('div', { class: 'fb-scroll', tabindex: 0, role: 'region', 'aria-label': attrs.label || t(heads[0]) },
    h('table', { class: 'fb-table', id: attrs.id },
      h('thead', {}, h('tr', {}, heads.map((key) => h('th', { scope: 'col', class: key.startsWith('#') ? 'fb-figure' : null }, key ? t(key.replace('#', '')) : h('span', { class: 'fb-hidden' }, t('col_actions')))))),
      h('tbody', {}, rows)))
}
/** A day as people write it. */
export const day = (iso) => (/^\d{4}-\d\d-\d\d$/.test(iso) ? h('span', { class: 'fb-day' }, new Date(`${iso}T12:00`).toLocaleDateString(state.language === 'en' ? 'en-GB' : state.language, { day: '2-digit', month: '2-digit', year: 'numeric' })) : iso)
export const figure = (text, attrs = {}) => h('td', { ...attrs, class: `fb-figure ${attrs.class || ''}` }, text)

/** Tabs within a page; `open` draws a panel and returns what stands in it. */
export function tabbed(root, names, label, open, go) {
  const list = h('div', { class: 'fb-tabs fb-page-tabs', role: 'tablist' })
  const panel = h('div', { role: 'tabpanel', id: `fb-part-${names[0]}`, tabindex: 0, class: 'fb-part' })
  let turn = 0
  const draw = async (current) => {
    list.setAttribute('aria-label', t(label))
    fill(list, names.map((name) => h('button', { type: 'button', role: 'tab', id: `fb-part-tab-${name}`, 'aria-selected': String(name === current), 'aria-controls': panel.id, tabindex: name === current ? 0 : -1, onclick: () => go(name), onkeydown: (event) => arrows(event, name) }, t(`part_${name}`))))
    panel.setAttribute('aria-labelledby', `fb-part-tab-${current}`)
    const mine = ++turn
    const made = await open(current)
    if (mine === turn) { const top = panel.scrollTop; fill(panel, made); panel.scrollTop = top; panel.dataset.part = current; pointOut(panel) }
  }
  const arrows = (event, name) => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    if (!by) return
    event.preventDefault()
    const next = names[(names.indexOf(name) + by + names.length) % names.length]
    go(next)
    setTimeout(() => document.getElementById(`fb-part-tab-${next}`)?.focus(), 60)
  }
  fill(root, list, panel)
  return draw
}

/** A field for files in our own words, for what the browser writes is in the browser's language. */
export function fileField(label, file, help) {
  const whole = field(label, file, help)
  const name = h('span', { class: 'fb-soft', role: 'status' })
  file.classList.add('fb-hidden')
  file.addEventListener('change', () => fill(name, file.multiple ? '' : [...file.files].map((one) => one.name).join(', ')))
  whole.querySelector('label').append(h('span', { class: 'fb-pick', 'aria-hidden': 'true' }, t(file.multiple ? 'choose_files' : 'choose_file')))
  file.after(name)
  return whole
}

/** A place for files, chosen or dropped; several one after the other. extra: fields above it. */
export function dropzone(id, label, help, accept, take, extra = []) {
  const file = h('input', { type: 'file', id, accept, multiple: true })
  const all = async (files) => {
    for (const one of files) {
      if (state.upload && one.size > state.upload) { say(t('too_large', { n: Math.floor(state.upload / 1048576) }), 'error'); continue }
      try { await take(one) } catch (error) { if (!error.message) throw error }
    }
    file.value = ''
  }
  file.addEventListener('change', () => all([...file.files]))
  const drop = h('div', { class: 'fb-drop' }, extra, fileField(label, file, help))
  drop.addEventListener('dragover', (event) => { event.preventDefault(); drop.classList.add('fb-over-drop') })
  drop.addEventListener('dragleave', () => drop.classList.remove('fb-over-drop'))
  drop.addEventListener('drop', (event) => { event.preventDefault(); drop.classList.remove('fb-over-drop'); all([...event.dataTransfer.files]) })
  return drop
}
export async function bring(file, kind, more = {}) {
  const note = say(t('reading', { name: file.name }))
  return upload(file, { kind, ...more }).finally(() => note.remove())
}

/** Have a file made and download it. */
export async function download(name, args = {}) {
  const note = say(t('making'))
  offer(await ask(name, args).finally(() => note.remove()))
}
export function offer(answer) {
  const link = h('a', { href: answer.url, download: answer.filename })
  document.body.append(link)
  link.click()
  link.remove()
  say(t('file_ready', { name: answer.filename, n: n(Math.ceil(answer.bytes / 1024)) }))
  for (const one of (answer.notices || []).slice(0, 3)) say(one)
}

/** Who decides must have a name; '' where the person thinks better. */
export async function named() { if (!state.shown && !state.locked) await who(); return state.shown }

export const findings = (list) => (list.length ? h('ul', { class: 'fb-plain' }, list.map((one) => h('li', { class: `fb-remark fb-${one.severity}` }, one.quote ? h('strong', {}, one.quote, ': ') : null, one.sentence))) : null)

/** The text of a document at the words that were read. */
export async function readPlace(id, words) {
  const { text, name } = await ask('source', { id })
  const [from, to] = found(text, words)
  const mark = to ? h('mark', {}, text.slice(from, to)) : null
  const body = h('pre', { class: 'fb-source', tabindex: 0 }, mark ? [text.slice(0, from), mark, text.slice(to)] : text)
  setTimeout(() => mark?.scrollIntoView({ block: 'center' }), 30)
  await dialog(name, body, [[t('close'), null, 'fb-primary']], { class: 'fb-dialog fb-wide' })
}

/** Open what a value is known from: a document at the words, or a list at the row and the cell. */
export function openPlace(one, words) {
  if (one.document) return readPlace(one.document, words)
  state.spot = one.spot && { ...one.spot, words }
  return go(state.project, ...(one.part ? ['data', one.part] : ['documents']))
}

/** Whether a row of a list is one that somebody asked to see. */
export const pointedAt = (file, sheet, row) => state.spot?.file === file && state.spot.where.includes(sheet) && state.spot.rows.some(([first, last]) => first <= row && row <= last)

/** A figure without its dress: '1.234,50 €' and '1234.5' are the same. */
const naked = (text) => { const [whole, cents = ''] = String(text).replace(/[^\d.,]/g, '').split(/[.,](?=\d{1,2}$)/); return `${whole.replace(/\D/g, '')}.${cents.padEnd(2, '0')}` }

/** Bring the rows that somebody asked for into sight, their cell marked: of the column that is named, else that has the value. */
function pointOut(panel) {
  const rows = [...panel.querySelectorAll('tr.fb-here')]
  const { words: value = '', field = '' } = state.spot || {}
  state.spot = null
  if (!rows.length) return
  const own = rows.flatMap((row) => [...row.cells]).filter((cell) => field && cell.dataset.field?.split(' ').includes(field))
  // where no column is named, or this screen does not show it
  if (own.length) for (const cell of own) cell.classList.add('fb-cell')
  else if (/\d/.test(value)) for (const row of rows) for (const cell of row.cells) if (/\d/.test(cell.textContent) && naked(cell.textContent) === naked(value)) cell.classList.add('fb-cell')
  const first = panel.querySelector('.fb-cell') || rows[0]
  first.tabIndex = -1
  first.focus({ preventScroll: true })
  first.scrollIntoView({ block: 'center' })
}

/** Where words stand in a text, whatever marks and spaces are between their letters; [0, 0] where they do not. */
function found(text, words) {
  const places = [...text.matchAll(/[\p{L}\p{N}]/gu)].map((one) => one.index)
  const letters = (from) => (from.match(/[\p{L}\p{N}]/gu) || []).join('').toLowerCase()
  const wanted = letters(words)
  const at = wanted ? letters(text).indexOf(wanted) : -1
  return at < 0 ? [0, 0] : [places[at], places[at + wanted.length - 1] + 1]
}

/** No tracked change is refused. */
export const NOTHING = { refused: [], single: [] }

/** Tracked changes by author and one by one, each with a choice; `chosen` hears what is refused: {refused: authors, single: numbers}. */
export function authors(read, chosen) {
  if (!read.authors.length) return null
  const refused = new Set()
  const single = new Set()
  const boxes = read.changes.map((one, index) => h('input', { type: 'checkbox', id: `fb-change-${index}`, checked: true, onchange: (event) => { single[event.target.checked ? 'delete' : 'add'](index); tell() } }))
  const tell = () => chosen({ refused: [...refused], single: [...single] })
  const whole = (author, taken) => {
    refused[taken ? 'delete' : 'add'](author)
    read.changes.forEach((one, index) => { if (one.author === author) { single.delete(index); boxes[index].checked = taken; boxes[index].disabled = !taken } })
    tell()
  }
  return h('fieldset', { class: 'fb-changes', id: 'fb-changes' }, h('legend', {}, t('changes_lead', { names: read.authors.map((one) => one.author).join(', ') })),
    read.authors.map((one, index) => { const id = `fb-author-${index}`; return h('div', {}, h('input', { type: 'checkbox', id, checked: true, onchange: (event) => whole(one.author, event.target.checked) }), ' ', h('label', { for: id }, t('changes_accept_of', one))) }),
    h('p', { class: 'fb-soft' }, t('changes_help')),
    h('details', {}, h('summary', {}, t('changes_show')), h('p', { class: 'fb-soft' }, t('changes_single')), h('ul', { class: 'fb-plain fb-single' }, read.changes.map((one, index) => h('li', {}, boxes[index], ' ', h('label', { for: boxes[index].id }, h('strong', {}, one.author), ' ', h(one.kind === 'deletion' ? 'del' : 'ins', {}, one.text)))))))
}
export const remarks = (list) => (list.length ? h('details', { open: true }, h('summary', {}, t('comments_lead', { n: list.length })), h('ul', {}, list.map((one) => h('li', {}, h('strong', {}, one.author), ': ', one.text)))) : null)
