// Grants that begin with a document or with an earlier grant.
import { button, dialog, field, fill, h, say, select } from './dom.js'
import { bring, fileField } from './parts.js'
import { ask, go, state, t } from './store.js'

const DOCUMENTS = '.docx,.docm,.doc,.odt,.rtf,.pdf,.md,.txt,.html,.htm'
const language = (value) => select(['es', 'ca', 'en'].map((one) => [one, t(`language_${one}`)]), value, null, { id: 'fb-begin-language' })

/** One file to begin with; resolves with what was read, null where the person thought better. */
async function choose(title, lead, kind) {
  const file = h('input', { type: 'file', id: 'fb-begin-file', accept: DOCUMENTS })
  const done = await dialog(title, [h('p', {}, lead), fileField(t('doc_file'), file, t('begin_file_help'))], [[t('cancel'), null], [t('read_it'), true, 'fb-primary']])
  if (!done) return null
  if (!file.files[0]) { say(t('begin_no_file'), 'error'); return null }
  return bring(file.files[0], kind)
}

/** The period after an earlier grant. */
export async function nextPeriod(rows) {
  const known = rows.filter((one) => !one.error)
  const from = select(known.map((one) => [one.project, one.title]), known[0].project, null, { id: 'fb-next-from' })
  const title = h('input', { id: 'fb-next-title', required: true, maxlength: 300 })
  const start = h('input', { type: 'date', id: 'fb-next-start' })
  const end = h('input', { type: 'date', id: 'fb-next-end' })
  const done = await dialog(t('next_period'), [h('p', {}, t('next_period_lead')), field(t('next_from'), from), field(t('f_title'), title, t('f_title_help')), field(t('term_start'), start, t('term_start_help')), field(t('term_end'), end, t('term_end_help'))], [[t('cancel'), null], [t('create'), true, 'fb-primary']])
  if (!done) return
  const made = await ask('next-period', { project: from.value, title: title.value, start: start.value, end: end.value })
  say(t('next_done', { texts: made.texts, sections: made.sections }))
  go(made.project, 'writing')
}

/** The answer to a funder's request for clarification. */
export async function answerRequest() {
  const read = await choose(t('answer_request'), t('answer_request_lead'), 'request')
  if (!read) return
  const title = h('input', { id: 'fb-request-title', required: true, maxlength: 300 })
  const notified = h('input', { type: 'date', id: 'fb-request-notified' })
  const done = await dialog(t('answer_request'), [h('p', {}, t('request_read', { n: read.questions.length })), h('ol', { id: 'fb-request-questions' }, read.questions.map((one) => h('li', {}, one))), read.days ? h('p', { class: 'fb-soft' }, t(read.working ? 'request_days_working' : 'request_days', { n: read.days })) : null,
    field(t('f_title'), title, t('f_title_help')), field(t('term_notified'), notified, t('term_notified_help'))], [[t('cancel'), null], [t('create'), true, 'fb-primary']], { class: 'fb-dialog fb-wide' })
  if (!done) return
  const { project } = await ask('create-answer', { project: '', token: read.token, title: title.value, notified: notified.value })
  say(t('created'))
  go(project, 'writing')
}

/** A template read from the funder's own document, confirmed by the person. */
export async function fromTemplate() {
  const read = await choose(t('own_template'), t('own_template_lead'), 'template')
  if (!read) return
  let part = 0
  let items = []
  const list = h('ol', { class: 'fb-tree', id: 'fb-template-sections' })
  const about = h('div', {})
  const start = () => { items = read.parts[part].sections.map((one) => ({ ...one, limits: one.limits.map((each) => ({ ...each })) })) }
  const limit = (item, each, name) => {
    const unit = select(read.units.map((one) => [one, t(`unit_${one}`)]), each.unit, (value) => { each.unit = value }, { 'aria-label': t('limit_unit', { heading: name }) })
    const most = h('input', { type: 'number', min: 1, value: each.maximum ?? '', class: 'fb-short', 'aria-label': t('limit_most', { heading: name }), oninput: (event) => { each.maximum = event.target.value ? Number(event.target.value) : null } })
    return h('span', { class: 'fb-limit' }, t('at_most'), ' ', most, unit, button('×', () => { item.limits.splice(item.limits.indexOf(each), 1); draw() }, { 'aria-label': t('limit_remove', { heading: name }) }))
  }
  const draw = (focus = -1) => {
    const one = read.parts[part]
    fill(about, h('p', {}, t('template_read', { n: items.length })), one.read.length ? h('details', {}, h('summary', {}, t('template_said', { n: one.read.length })), h('ul', {}, one.read.map((each) => h('li', {}, `«${each}»`)))) : null)
    fill(list, items.map((item, index) => {
      const name = item.heading || t('new_section')
      return h('li', { style: `margin-left:${16 * (item.level - 1)}px` }, h('div', { class: 'fb-tree-row' },
        h('input', { value: item.heading, 'aria-label': t('heading_of', { heading: name }), oninput: (event) => { item.heading = event.target.value } }),
        button('←', () => { item.level = Math.max(1, item.level - 1); draw(index) }, { 'aria-label': `${t('level_up')}: ${name}`, title: t('level_up') }), button('→', () => { item.level = Math.min(9, item.level + 1); draw(index) }, { 'aria-label': `${t('level_down')}: ${name}`, title: t('level_down') }),
        button(t('add_limit'), () => { item.limits.push({ unit: 'words', maximum: null, minimum: null }); draw(index) }, { 'aria-label': `${t('add_limit')}: ${name}` }), button(t('drop'), () => { items.splice(index, 1); draw() }, { 'aria-label': `${t('drop')}: ${name}`, title: t('drop_help') })),
        item.limits.length ? h('p', {}, item.limits.map((each) => limit(item, each, name))) : null,
        item.guidance || item.quote ? h('p', { class: 'fb-soft' }, (item.guidance || `«${item.quote}»`).slice(0, 240)) : null)
    }), h('li', {}, button(t('add_section'), () => { items.push({ id: '', heading: '', level: 1, limits: [], guidance: '', quote: '' }); draw(items.length - 1) }, { id: 'fb-template-add' })))
    if (focus >= 0) list.children[focus]?.querySelector('input')?.focus()
  }
  start()
  draw()
  const title = h('input', { id: 'fb-template-title', required: true, maxlength: 300 })
  const name = h('input', { id: 'fb-template-name', value: read.parts[0].title, maxlength: 200 })
  const tongue = language(read.language)
  const which = read.parts.length > 1 ? field(t('template_part'), select(read.parts.map((one, index) => [String(index), one.title]), '0', (value) => { part = Number(value); name.value = read.parts[part].title; start(); draw() }, { id: 'fb-template-part' })) : null
  const done = await dialog(t('own_template'), [which, about, list, field(t('f_title'), title, t('f_title_help')), field(t('template_name'), name), field(t('f_language'), tongue, t('f_language_help'))], [[t('cancel'), null], [t('create'), true, 'fb-primary']], { class: 'fb-dialog fb-wide', id: 'fb-template' })
  if (!done) return
  const sections = items.map(({ id, heading, level, limits }) => ({ id, heading, level, limits }))
  const { project } = await ask('create-from-template', { project: '', token: read.token, part, sections, limits: read.parts[part].limits, name: name.value, language: tongue.value, title: title.value })
  say(t('created'))
  go(project, 'writing')
}
