// My grants: the list by days left, a new one, one of an earlier period, putting one away.
import { button, dialog, field, fill, h, say, select } from './dom.js'
import { answerRequest, fromTemplate, nextPeriod } from './begin.js'
import { day } from './parts.js'
import { ask, go, on, state, t } from './store.js'

export function grants(root) {
  const list = h('div', { class: 'fb-list' })
  const title = h('h1', {})
  const lead = h('p', { class: 'fb-lead' })
  const tools = h('div', { class: 'fb-actions' })
  fill(root, h('section', { class: 'fb-page' }, title, lead, tools, list))
  let known = []
  const label = () => {
    fill(title, t('grants'))
    fill(lead, t('grants_lead'))
    fill(tools, button(t('new_grant'), create, { class: 'fb-primary', id: 'fb-new' }), button(t('own_template'), fromTemplate, { id: 'fb-own-template' }), known.some((one) => !one.error) ? button(t('next_period'), () => nextPeriod(known), { id: 'fb-next-period' }) : null, button(t('answer_request'), answerRequest, { id: 'fb-answer-request' }))
  }
  const load = async () => {
    if (state.screen !== 'grants') return
    const { grants: rows } = await ask('grants', { project: '' })
    known = rows
    label()
    fill(list, rows.length ? h('table', { class: 'fb-table' },
      h('thead', {}, h('tr', {}, ['title', 'form', 'deadline', 'progress', ''].map((one) => h('th', { scope: 'col' }, one ? t(`col_${one}`) : h('span', { class: 'fb-hidden' }, t('col_actions')))))),
      h('tbody', {}, rows.map(row))) : h('p', { class: 'fb-empty' }, t('no_grants')))
  }
  const row = (one) => h('tr', {},
    h('th', { scope: 'row' }, one.error ? h('span', { class: 'fb-fault' }, `${one.title}: ${one.error}`) : button(one.title, () => go(one.project, 'writing'), { class: 'fb-link' })),
    h('td', {}, one.form || ''),
    h('td', {}, one.deadline ? [h('span', { class: `fb-days${one.days < 15 ? ' fb-soon' : ''}` }, one.days < 0 ? t('days_late', { n: -one.days }) : t('days_left', { n: one.days })), ' ', day(one.deadline)] : t('no_deadline')),
    h('td', {}, one.sections === undefined ? '' : t('progress', { written: one.written, accepted: one.accepted, sections: one.sections })),
    h('td', { class: 'fb-actions' }, one.error ? null : [button(t('edit'), () => edit(one), { 'aria-label': `${t('edit')}: ${one.title}` }), button(t('copy_grant'), async () => { await ask('copy', { project: one.project }); load() }, { 'aria-label': `${t('copy_grant')}: ${one.title}` }), button(t('put_away'), () => away(one), { 'aria-label': `${t('put_away')}: ${one.title}` })]))
  const away = async (one) => {
    if (await dialog(t('put_away'), h('p', {}, t('put_away_ask', { title: one.title })), [[t('cancel'), null], [t('put_away'), true, 'fb-danger']])) { await ask('discard', { project: one.project }); load() }
  }
  const edit = async (one) => {
    const name = h('input', { value: one.title, required: true })
    const date = h('input', { type: 'date', value: one.deadline })
    if (await dialog(t('edit'), [field(t('f_title'), name, t('f_title_help')), field(t('f_deadline'), date, t('f_deadline_help'))], [[t('cancel'), null], [t('save'), true, 'fb-primary']])) {
      await ask('describe', { project: one.project, title: name.value, deadline: date.value })
      load()
    }
  }
  on('place', load)
  load()
}

async function create() {
  const { forms } = await ask('forms', { project: '' })
  const name = h('input', { required: true, id: 'fb-new-title', maxlength: 300 })
  const date = h('input', { type: 'date', id: 'fb-new-deadline' })
  const wishes = h('textarea', { rows: 3, id: 'fb-new-instructions' })
  const language = h('select', { id: 'fb-new-language' })
  const about = h('p', { class: 'fb-lead' })
  const choose = (id) => {
    const form = forms.find((one) => one.id === id)
    fill(language, form.languages.map((one) => h('option', { value: one }, t(`language_${one}`))))
    if (form.languages.includes(state.language)) language.value = state.language
    fill(about, form.own ? t('form_about', { sections: form.sections, source: form.source, date: day(form.date).textContent }) : t('form_own'))
  }
  const form = select(forms.map((one) => [one.id, one.name]), forms[0].id, choose, { id: 'fb-new-form' })
  choose(forms[0].id)
  const done = await dialog(t('new_grant'), [
    field(t('f_title'), name, t('f_title_help')), field(t('form'), form, t('form_help')), about,
    field(t('f_language'), language, t('f_language_help')), field(t('f_deadline'), date, t('f_deadline_help')),
    field(t('f_instructions'), wishes, t('f_instructions_help'))], [[t('cancel'), null], [t('create'), true, 'fb-primary']])
  if (!done) return
  const { project } = await ask('create', { project: '', title: name.value, form: form.value, language: language.value, deadline: date.value, instructions: wishes.value })
  say(t('created'))
  go(project, forms.find((one) => one.id === form.value).own ? 'writing' : 'documents')
}
