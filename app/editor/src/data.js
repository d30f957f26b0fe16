// Commitments and data: what was promised and done, what it cost, other lists, verified data, terms and deadlines.
import { button, dialog, field, fill, h } from './dom.js'
import { commitments } from './commitments.js'
import { expenses } from './expenses.js'
import { openPlace, tabbed } from './parts.js'
import { lists } from './sheets.js'
import { ask, emit, go, on, state, t } from './store.js'
import { terms } from './terms.js'

const origin = (one) => (one ? [one.file, one.page ? t('page_n', { n: one.page }) : '', one.sheet, one.cell].filter(Boolean).join(' · ') : '')

/** Where a datum stands: a click shows it in the text of its document, or the spreadsheet's rows. */
const fromWhere = (one) => (origin(one.origin) ? button(origin(one.origin), () => openPlace(one, one.value), { class: 'fb-link fb-place', title: t('go_to_place') }) : one.source)

const PARTS = {
  commitments, expenses, lists, terms,
  async facts(again) {
    const answer = await ask('facts')
    const decide = async (ids, confirmed) => { await ask('decide', { ids, confirmed }); again() }
    return [h('p', { class: 'fb-lead' }, t('facts_help')),
      answer.proposals.length ? [h('h2', {}, t('proposed')), h('p', { class: 'fb-lead' }, t('proposed_help')),
        h('table', { class: 'fb-table' }, h('thead', {}, h('tr', {}, ['fact', 'value', 'source', 'actions'].map((one) => h('th', { scope: 'col' }, t(`col_${one}`))))), h('tbody', {}, answer.proposals.map((one) => h('tr', {},
          h('th', { scope: 'row' }, one.name), h('td', {}, one.value), h('td', {}, fromWhere(one), one.context ? h('p', { class: 'fb-soft' }, `«${one.context}»`) : null),
          h('td', { class: 'fb-actions' }, button(t('confirm'), () => decide([one.id], true), { 'aria-label': `${t('confirm')}: ${one.name}` }), button(t('reject'), () => decide([one.id], false), { 'aria-label': `${t('reject')}: ${one.name}` }))))))] : null,
      h('div', { class: 'fb-actions' }, button(t('add_fact'), async () => { if (await factForm()) again() }, { class: 'fb-primary', id: 'fb-add-fact-large' })),
      answer.facts.length ? factsTable(answer.facts, again) : h('p', { class: 'fb-empty' }, t('no_facts'))]
  },
}

export function data(root) {
  const part = h('div', {})
  const title = h('h1', {})
  fill(root, h('section', { class: 'fb-page' }, title, part))
  const draw = tabbed(part, Object.keys(PARTS), 'data', (name) => PARTS[name](load), (name) => go(state.project, 'data', name))
  const load = async () => {
    if (state.screen !== 'data' || !state.project) return
    fill(title, t('data'))
    await draw(state.part in PARTS ? state.part : 'commitments')
  }
  for (const one of ['place', 'facts', 'commitments', 'lists', 'terms', 'language']) on(one, load)
  load()
}

export function factsTable(facts, again, { insert = false } = {}) {
  // beside the text there is room for the source under its value alone
  return h('table', { class: 'fb-table' }, h('thead', {}, h('tr', {}, (insert ? ['fact', 'value', 'actions'] : ['fact', 'value', 'source', 'actions']).map((one) => h('th', { scope: 'col' }, one === 'actions' ? h('span', { class: 'fb-hidden' }, t('col_actions')) : t(`col_${one}`))))),
    h('tbody', {}, facts.map((one) => h('tr', {}, h('th', { scope: 'row' }, one.name), h('td', {}, one.value, one.derived ? h('p', { class: 'fb-soft' }, `= ${one.derived}`) : null, insert ? h('p', { class: 'fb-soft' }, fromWhere(one)) : null), insert ? null : h('td', {}, fromWhere(one), one.confirmed_by ? h('p', { class: 'fb-soft' }, one.confirmed_by) : null),
      h('td', { class: 'fb-actions' }, insert ? button('↩', () => emit('insert', one.value), { 'aria-label': `${t('insert')}: ${one.name}`, title: t('insert') }) : null,
        one.derived ? null : button('✎', async () => { if (await factForm(one)) again() }, { 'aria-label': `${t('edit')}: ${one.name}`, title: t('edit') }),
        button('×', async () => { if (await dialog(t('remove'), h('p', {}, t('remove_fact_ask', { name: one.name })), [[t('cancel'), null], [t('remove'), true, 'fb-danger']])) { await ask('remove-fact', { name: one.name }); again() } }, { 'aria-label': `${t('remove')}: ${one.name}`, title: t('remove') }))))))
}

export async function factForm(one = null) {
  const name = h('input', { value: one?.name || '', disabled: !!one, id: 'fb-fact-name' })
  const value = h('input', { value: one?.value || '', id: 'fb-fact-value' })
  const source = h('input', { value: one?.source || '', id: 'fb-fact-source' })
  const done = await dialog(t(one ? 'edit' : 'add_fact'), [field(t('col_fact'), name, t('fact_name_help')), field(t('col_value'), value, t('fact_value_help')), field(t('col_source'), source, t('fact_source_help'))], [[t('cancel'), null], [t('save'), true, 'fb-primary']])
  if (!done) return false
  await ask('set-fact', { name: name.value, value: value.value, source: source.value })
  return true
}
