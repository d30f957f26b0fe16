// The terms of the grant, and the deadlines that follow from them.
import { button, dialog, field, h } from './dom.js'
import { day, grid } from './parts.js'
import { ask, emit, state, t } from './store.js'

export async function terms(again) {
  const answer = await ask('terms')
  const change = async (one, kind = '') => { if (await termForm(one, kind)) { state.frame = await ask('open'); emit('frame-changed'); again() } }
  const back = (one, name, label) => (one.own ? button(t('remove'), async () => { if (await dialog(t('remove'), h('p', {}, t('remove_term_ask', { name: label })), [[t('cancel'), null], [t('remove'), true, 'fb-danger']])) { await ask('remove-term', { name }); state.frame = await ask('open'); emit('frame-changed'); again() } }, { 'aria-label': `${t('remove')}: ${label}` }) : null)
  const due = (one) => h('tr', {}, h('th', { scope: 'row' }, ['report', 'payment', 'deadline'].includes(one.name) ? t(`due_${one.name}`) : one.name),
    h('td', {}, one.day ? day(one.day) : t('no_deadline'), one.capped ? h('p', { class: 'fb-soft' }, t('due_capped')) : null, one.fixed ? h('p', { class: 'fb-soft' }, t('due_fixed')) : null),
    h('td', {}, one.days === null ? h('p', { class: 'fb-remark fb-warning' }, t('due_waits', { what: t(`term_${one.waits_for || 'end'}`) }), ' ', button(t('set_date'), () => change({ name: one.waits_for || 'end', value: '', source: '', date: true }), { class: 'fb-link' })) : h('span', { class: `fb-days${one.days < 15 ? ' fb-soon' : ''}` }, one.days < 0 ? t('days_late', { n: -one.days }) : t('days_left', { n: one.days }))),
    h('td', {}, one.source))
  return [
    h('p', { class: 'fb-lead' }, t('terms_lead')),
    h('h2', {}, t('deadlines')),
    answer.deadlines.length ? grid(['col_due', 'col_day', 'col_days', 'col_source'], answer.deadlines.map(due), { id: 'fb-deadlines' }) : h('p', { class: 'fb-empty' }, t('no_deadlines')),
    answer.computed && answer.deadline && answer.computed !== answer.deadline ? h('p', { class: 'fb-remark fb-warning' }, t('deadline_differs', { typed: day(answer.deadline).textContent, computed: day(answer.computed).textContent }), ' ', button(t('deadline_take'), async () => { state.frame = await ask('describe', { deadline: answer.computed }); emit('frame-changed'); again() }, { id: 'fb-take-deadline' })) : null,
    h('h2', {}, t('part_terms')),
    grid(['col_term', 'col_value', 'col_source', ''], answer.terms.map((one) => h('tr', {}, h('th', { scope: 'row' }, t(`term_${one.name}`), one.waited && !one.value ? h('p', { class: 'fb-remark fb-warning' }, t('term_waited')) : null), h('td', {}, one.date ? day(one.value || '—') : one.value || '—'), h('td', {}, one.source),
      h('td', { class: 'fb-actions' }, button(t('edit'), () => change(one), { 'aria-label': `${t('edit')}: ${t(`term_${one.name}`)}`, id: `fb-term-${one.name}` }), back(one, one.name, t(`term_${one.name}`))))), { id: 'fb-terms' }),
    ['heading', 'hours', 'income'].map((kind) => h('section', {}, h('h2', {}, t(`terms_${kind}`)),
      answer.named[kind].length ? grid(['col_name', '#col_value', 'col_source', ''], answer.named[kind].map((one) => h('tr', {}, h('th', { scope: 'row' }, one.name), h('td', { class: 'fb-figure' }, one.value), h('td', {}, one.source), h('td', { class: 'fb-actions' }, button(t('edit'), () => change({ ...one, fixed: true }, kind), { 'aria-label': `${t('edit')}: ${one.name}` }), back(one, `${kind}:${one.name}`, one.name))))) : null,
      button(t(`add_${kind}`), () => change({ name: '', value: '', source: '' }, kind), { id: `fb-add-${kind}` })))]
}

async function termForm(one, kind) {
  const name = h('input', { value: one.name, disabled: !!one.fixed, id: 'fb-term-name' })
  const value = h('input', { value: one.date ? one.value : one.value.replace(/ /g, ' '), type: one.date ? 'date' : 'text', id: 'fb-term-value' })
  const source = h('input', { value: one.source, id: 'fb-term-source' })
  const done = await dialog(kind ? t(`terms_${kind}`) : t(`term_${one.name}`), [kind ? field(t('col_name'), name) : h('p', { class: 'fb-soft' }, t(`term_${one.name}_help`)), field(t('col_value'), value, one.date ? t('term_date_help') : t('amount_help')), field(t('col_source'), source, t('fact_source_help'))], [[t('cancel'), null], [t('save'), true, 'fb-primary']])
  if (done) await ask('set-term', { name: kind ? `${kind}:${name.value}` : one.name, value: value.value, source: source.value })
  return done
}
