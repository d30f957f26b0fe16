// Documents: what the report is written from, what was read of each, and the wizard in which a reading is corrected.
import { button, dialog, field, fill, h, say, select } from './dom.js'
import { addPhoto, addProof } from './annexes.js'
import { partners } from './partners.js'
import { NOTHING, authors, bring, dropzone, grid, readPlace, remarks, tabbed } from './parts.js'
import { bringBack } from './returned.js'
import { LISTS, sheetWizard } from './sheets.js'
import { ask, bare, emit, go, on, refreshOutline, state, t } from './store.js'

const TEXTS = ['report', 'proposal', 'resolution', 'amendment', 'outcome', 'contribution', 'source', 'word']
const FILES = ['proofs', 'photos', 'publications', 'references', 'citation-style']
const ACCEPT = '.docx,.docm,.doc,.odt,.rtf,.pdf,.md,.txt,.tex,.html,.htm,.xlsx,.xlsm,.xls,.ods,.csv,.bib,.ris,.json,.csl,.jpg,.jpeg,.png,.gif,.webp,.tif,.tiff,.bmp'
const BOUND = ['proposal', 'resolution', 'amendment', 'outcome']

export function documents(root) {
  const part = h('div', {})
  const title = h('h1', {})
  fill(root, h('section', { class: 'fb-page' }, title, part))
  const draw = tabbed(part, ['files', 'partners'], 'documents', (name) => (name === 'partners' ? partners(load) : files(load)), (name) => go(state.project, 'documents', name === 'files' ? '' : name))
  const load = async () => {
    if (state.screen !== 'documents' || !state.project) return
    fill(title, t('documents'))
    await draw(state.part === 'partners' ? 'partners' : 'files')
  }
  for (const one of ['place', 'language', 'partners', 'lists']) on(one, load)
  load()
}

async function files(again) {
  const [answer, { files: sheets }] = await Promise.all([ask('sources'), ask('lists')])
  const group = (key, kinds) => h('optgroup', { label: t(key) }, kinds.map((one) => h('option', { value: one }, t(`kind_${one}`))))
  const kind = h('select', { id: 'fb-kind' }, group('group_texts', TEXTS), group('group_lists', LISTS), group('group_files', FILES))
  kind.value = chosen || (answer.report ? 'source' : 'report')
  kind.addEventListener('change', () => { chosen = kind.value })
  const rows = [
    ...answer.sources.map((one) => [button(one.name, () => readPlace(one.id, ''), { class: 'fb-link' }), t(`kind_${one.kind}`), `${one.words} ${t('unit_words')}`]),
    ...sheets.map((one) => [button(one.file, () => go(state.project, 'data', one.kind === 'expenses' ? 'expenses' : 'lists'), { class: 'fb-link' }), t(`kind_${one.kind}`), t('rows_n', { n: one.rows })])]
  return [h('p', { class: 'fb-lead' }, t('documents_lead')),
    dropzone('fb-file', t('doc_file'), t('doc_file_help'), ACCEPT, (file) => take(file, kind.value).then(again), field(t('doc_kind'), kind, t('doc_kind_help'))),
    answer.report ? h('p', {}, t('report_from', { name: answer.report })) : null,
    rows.length ? grid(['col_document', 'col_kind', 'col_read'], rows.map(([name, what, read]) => h('tr', {}, h('th', { scope: 'row' }, name), h('td', {}, what), h('td', {}, read))), { id: 'fb-sources' }) : h('p', { class: 'fb-empty' }, t('no_sources')),
    state.frame?.notices.length ? [h('h2', {}, t('notices')), h('ul', {}, state.frame.notices.map((one) => h('li', {}, one)))] : null]
}
let chosen = ''

async function take(file, kind) {
  if (kind === 'proofs') return addProof(file)
  if (kind === 'photos') return addPhoto(file)
  if (kind === 'publications') {
    const done = await bring(file, kind)
    say(t('publications_added', { n: done.count, fresh: done.new }))
    for (const one of done.notices.slice(0, 3)) say(one)
    return
  }
  if (kind === 'references' || kind === 'citation-style') {
    const done = await bring(file, kind)
    say(kind === 'references' ? t('references_added', { n: done.count, fresh: done.new }) : t('style_kept', { name: done.filename }))
    for (const one of done.notices.slice(0, 3)) say(one)
    return emit('references')
  }
  if (kind === 'word') return bringBack(file)
  const read = await bring(file, kind)
  if (LISTS.includes(kind)) {
    const kept = await sheetWizard(read)
    if (!kept) return say(t('import_left'))
    say(t(kept.replaced ? 'list_replaced' : 'list_saved', { n: kept.rows }))
    return go(state.project, 'data', kind === 'expenses' ? 'expenses' : 'lists')
  }
  const saved = await wizard(read)
  if (!saved) return say(t('import_left'))
  if (!BOUND.includes(kind)) say(t('import_done', saved))
  for (const one of saved.notices.slice(0, 4)) say(one)
  state.frame = await ask('open')
  await refreshOutline()
  emit('frame-changed')
  if (kind === 'report') return go(state.project, 'writing')
  if (BOUND.includes(kind)) {
    say(t('import_proposed', { n: saved.proposed }))
    if (saved.silent.length) say(t('import_silent', { what: saved.silent.join(', ') }))
    if (saved.proposed) go(state.project, 'data', 'commitments')
  }
}

function wizard(read) {
  let back = NOTHING
  let tree = read.sections
  const start = (tree) => tree.map((one, index) => ({ heading: one.heading, level: one.level, parts: [[index, 0, one.blocks.length]], words: one.words, from: null }))
  let items = start(read.sections)
  const list = h('ol', { class: 'fb-tree' })
  const first = (item) => item.parts.map(([section, a, b]) => tree[section].blocks.slice(a, b)).flat()
  const draw = (focus = -1) => {
    fill(list, items.map((item, index) => {
      const name = item.heading || t('front')
      const level = select([0, 1, 2, 3, 4, 5, 6].map((one) => [one, one ? t('level_n', { n: one }) : t('level_front')]), item.level, (value) => { item.level = Number(value); draw(index) }, { 'aria-label': t('level_of', { heading: name }) })
      level.value = String(item.level)
      const blocks = first(item)
      return h('li', { style: `margin-left:${16 * Math.max(0, item.level - 1)}px` },
        h('div', { class: 'fb-tree-row' }, level, h('input', { value: item.heading, 'aria-label': t('heading_of', { heading: name }), oninput: (event) => { item.heading = event.target.value } }),
          button('←', () => { item.level = Math.max(1, item.level - 1); draw(index) }, { 'aria-label': `${t('level_up')}: ${name}`, title: t('level_up') }), button('→', () => { item.level = Math.min(9, item.level + 1); draw(index) }, { 'aria-label': `${t('level_down')}: ${name}`, title: t('level_down') }),
          index ? button(t('merge'), () => { items[index - 1].parts.push(...item.parts); items.splice(index, 1); draw(index - 1) }, { 'aria-label': `${t('merge')}: ${name}`, title: t('merge_help') }) : null,
          blocks.length ? button(t('split'), () => split(index), { 'aria-label': `${t('split')}: ${name}`, title: t('split_help') }) : null,
          button(t('drop'), () => { items.splice(index, 1); draw(Math.max(0, index - 1)) }, { 'aria-label': `${t('drop')}: ${name}`, title: t('drop_help') })),
        h('p', { class: 'fb-soft' }, blocks.length ? bare(blocks[0], 120) : t('no_text')))
    }))
    if (focus >= 0) list.children[Math.min(focus, items.length - 1)]?.querySelector('select')?.focus()
  }
  const split = async (index) => {
    const item = items[index]
    const options = item.parts.flatMap(([section, a, b], part) => tree[section].blocks.slice(a, b).map((text, place) => ({ part, section, block: a + place, text })))
    const chosen = await dialog(t('split'), (close) => [h('p', {}, t('split_lead')), h('ol', { class: 'fb-plain' }, options.map((one) => h('li', {}, button(bare(one.text, 110) || '…', () => close(one), { class: 'fb-link' }))))], [[t('cancel'), null]], { class: 'fb-dialog fb-wide' })
    if (!chosen) return
    const before = item.parts.slice(0, chosen.part)
    const [section, a, b] = item.parts[chosen.part]
    if (chosen.block > a) before.push([section, a, chosen.block])
    const made = { heading: chosen.text.replace(/[*_#|`]/g, '').trim().slice(0, 200), level: Math.max(1, item.level), parts: [[section, chosen.block + 1, b], ...item.parts.slice(chosen.part + 1)], from: [section, chosen.block] }
    item.parts = before.length ? before : [[section, a, a]]
    items.splice(index + 1, 0, made)
    draw(index + 1)
  }
  draw()
  const whole = read.kind === 'report' || read.kind === 'word'
  const tracked = authors(read, async (list) => { back = list; tree = (await ask('read-again', { token: read.token, ...back })).sections; items = start(tree); draw() })
  return dialog(t('wizard', { name: read.filename }), [h('p', {}, t(whole ? 'wizard_lead' : 'wizard_source', { n: read.sections.length })), read.notices.map((one) => h('p', { class: 'fb-soft' }, one)), tracked, remarks(read.comments), list],
    [[t('cancel'), null], [t('save'), () => 'save', 'fb-primary']], { class: 'fb-dialog fb-wide', id: 'fb-wizard' })
    .then((answer) => (answer ? ask('save-import', { token: read.token, ...back, plan: items.map(({ heading, level, parts, from }) => ({ heading, level, parts, ...(from ? { from } : {}) })) }) : null))
}
