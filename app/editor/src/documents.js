// Documents: what the report is written from, what was read of each, and the wizard in which a reading is corrected.
import { button, dialog, field, fill, h, say, select } from './dom.js'
import { readSource } from './side.js'
import { ask, emit, go, on, refreshOutline, state, t, upload } from './store.js'

const KINDS = ['report', 'word', 'proposal', 'resolution', 'amendment', 'contribution', 'source']

export function documents(root) {
  const page = h('section', { class: 'fb-page' })
  fill(root, page)
  const load = async () => {
    if (state.screen !== 'documents' || !state.project) return
    const answer = await ask('sources')
    const kind = select(KINDS.map((one) => [one, t(`kind_${one}`)]), answer.report ? 'source' : 'report', null, { id: 'fb-kind' })
    const file = h('input', { type: 'file', id: 'fb-file', accept: '.docx,.docm,.doc,.odt,.rtf,.pdf,.md,.txt,.tex,.html,.htm' })
    file.addEventListener('change', () => { if (file.files[0]) take(file.files[0], kind.value).then(load, load) })
    const drop = h('div', { class: 'fb-drop' }, field(t('doc_kind'), kind, t('doc_kind_help')), field(t('doc_file'), file, t('doc_file_help')))
    drop.addEventListener('dragover', (event) => { event.preventDefault(); drop.classList.add('fb-over-drop') })
    drop.addEventListener('dragleave', () => drop.classList.remove('fb-over-drop'))
    drop.addEventListener('drop', (event) => { event.preventDefault(); drop.classList.remove('fb-over-drop'); if (event.dataTransfer.files[0]) take(event.dataTransfer.files[0], kind.value).then(load, load) })
    fill(page, h('h1', {}, t('documents')), h('p', { class: 'fb-lead' }, t('documents_lead')), drop,
      answer.report ? h('p', {}, t('report_from', { name: answer.report })) : null,
      answer.sources.length ? h('table', { class: 'fb-table' }, h('thead', {}, h('tr', {}, ['document', 'kind', 'read'].map((one) => h('th', { scope: 'col' }, t(`col_${one}`))))), h('tbody', {}, answer.sources.map((one) => h('tr', {}, h('th', { scope: 'row' }, button(one.name, () => readSource(one), { class: 'fb-link' })), h('td', {}, t(`kind_${one.kind}`)), h('td', {}, `${one.words} ${t('unit_words')}`))))) : h('p', { class: 'fb-empty' }, t('no_sources')),
      state.frame?.notices.length ? [h('h2', {}, t('notices')), h('ul', {}, state.frame.notices.map((one) => h('li', {}, one)))] : null)
  }
  on('place', load)
  on('language', load)
  load()
}

async function take(file, kind) {
  if (state.upload && file.size > state.upload) { say(t('too_large', { n: Math.floor(state.upload / 1048576) }), 'error'); throw new Error('too large') }
  say(t('reading', { name: file.name }))
  const read = await upload(file, { kind })
  const saved = await wizard(read)
  if (!saved) { say(t('import_left')); return }
  say(t('import_done', saved))
  for (const one of saved.notices.slice(0, 4)) say(one)
  state.frame = await ask('open')
  await refreshOutline()
  emit('frame-changed')
  if (kind === 'report') go(state.project, 'writing')
}

function wizard(read) {
  let changes = true
  const start = (tree) => tree.map((one, index) => ({ heading: one.heading, level: one.level, parts: [[index, 0, one.blocks.length]], words: one.words, from: null }))
  let items = start(read.sections)
  const tree = () => (changes || !read.refused ? read.sections : read.refused)
  const list = h('ol', { class: 'fb-tree' })
  const first = (item) => item.parts.map(([section, a, b]) => tree()[section].blocks.slice(a, b)).flat()
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
        h('p', { class: 'fb-soft' }, blocks.length ? blocks[0].replace(/[*_#|`]/g, '').slice(0, 120) : t('no_text')))
    }))
    if (focus >= 0) list.children[Math.min(focus, items.length - 1)]?.querySelector('select')?.focus()
  }
  const split = async (index) => {
    const item = items[index]
    const options = item.parts.flatMap(([section, a, b], part) => tree()[section].blocks.slice(a, b).map((text, place) => ({ part, section, block: a + place, text })))
    const chosen = await dialog(t('split'), (close) => [h('p', {}, t('split_lead')), h('ol', { class: 'fb-plain' }, options.map((one) => h('li', {}, button(one.text.replace(/[*_#|`]/g, '').slice(0, 110) || '…', () => close(one), { class: 'fb-link' }))))], [[t('cancel'), null]], { class: 'fb-dialog fb-wide' })
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
  const tracked = read.authors.length ? h('fieldset', { class: 'fb-changes', id: 'fb-changes' }, h('legend', {}, t('changes_lead', { names: read.authors.map((one) => one.author).join(', ') })),
    h('ul', {}, read.authors.map((one) => h('li', {}, t('changes_of', one)))),
    h('details', {}, h('summary', {}, t('changes_show')), h('ul', {}, read.changes.map((one) => h('li', {}, h('strong', {}, one.author), ' ', h(one.kind === 'deletion' ? 'del' : 'ins', {}, one.text))))),
    [['accept', true], ['refuse', false]].map(([key, value]) => { const id = `fb-changes-${key}`; return h('div', {}, h('input', { type: 'radio', name: 'changes', id, checked: value, onchange: () => { changes = value; items = start(tree()); draw() } }), ' ', h('label', { for: id }, t(`changes_${key}`))) })) : null
  const remarks = read.comments.length ? h('details', { open: true }, h('summary', {}, t('comments_lead', { n: read.comments.length })), h('ul', {}, read.comments.map((one) => h('li', {}, h('strong', {}, one.author), ': ', one.text)))) : null
  return dialog(t('wizard', { name: read.filename }), [h('p', {}, t(whole ? 'wizard_lead' : 'wizard_source', { n: read.sections.length })), read.notices.map((one) => h('p', { class: 'fb-soft' }, one)), tracked, remarks, list],
    [[t('cancel'), null], [t('save'), () => 'save', 'fb-primary']], { class: 'fb-dialog fb-wide', id: 'fb-wizard' })
    .then((answer) => (answer ? ask('save-import', { token: read.token, changes, plan: items.map(({ heading, level, parts, from }) => ({ heading, level, parts, ...(from ? { from } : {}) })) }) : null))
}
