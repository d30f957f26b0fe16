// Expenses: rows with what is wrong with each, sums against what was granted, the funder's own sheet filled.
import { button, field, h, say } from './dom.js'
import { bring, day, figure, findings, grid, offer, pointedAt } from './parts.js'
import { ask, go, n, state, t } from './store.js'

const MOST = 300
let faulty = false
let wanted = ''

export async function expenses(again) {
  const answer = await ask('expenses')
  if (!answer.rows.length) return [h('p', { class: 'fb-lead' }, t('expenses_lead')), h('p', { class: 'fb-empty' }, t('no_expenses')), button(t('documents'), () => go(state.project, 'documents'), { class: 'fb-primary' })]
  const bad = answer.rows.filter((one) => one.findings.length)
  const words = (one) => [one.creditor, one.nif, one.invoice, one.concept, one.heading, one.partner].join(' ').toLowerCase()
  const body = h('div', {})
  // a row that somebody asked for is not filtered away
  if (state.spot) { faulty = false; wanted = '' }
  const draw = () => {
    const rows = answer.rows.filter((one) => (!faulty || one.findings.length) && (!wanted || words(one).includes(wanted)))
    const at = rows.findIndex(there)
    const from = at < MOST ? 0 : at - 20
    body.replaceChildren(grid(['col_number', 'col_creditor', 'col_invoice', 'col_concept', 'col_paid', '#col_cost', '#col_charged', 'col_remarks'], rows.slice(from, from + MOST).map(row), { id: 'fb-expenses', label: t('part_expenses') }), rows.length > MOST ? h('p', { class: 'fb-soft' }, t('rows_more', { n: n(rows.length - MOST) })) : '')
  }
  const only = h('input', { type: 'checkbox', id: 'fb-faulty', checked: faulty, onchange: (event) => { faulty = event.target.checked; draw() } })
  const search = h('input', { type: 'search', id: 'fb-expense-search', value: wanted, placeholder: t('find_expense'), 'aria-label': t('find_expense'), oninput: (event) => { wanted = event.target.value.toLowerCase(); draw() } })
  const sheet = h('input', { type: 'file', id: 'fb-funder', accept: '.xlsx' })
  sheet.addEventListener('change', async () => {
    if (!sheet.files[0]) return
    const made = await bring(sheet.files[0], 'funder').finally(() => { sheet.value = '' })
    say(t('funder_filled', { n: made.rows, sheet: made.sheet }))
    offer(made)
  })
  draw()
  return [
    h('p', { class: 'fb-lead' }, t('expenses_lead')),
    h('p', { role: 'status', class: bad.length ? 'fb-over' : '' }, bad.length ? t('expenses_faulty', { n: n(bad.length), all: n(answer.rows.length) }) : t('expenses_clean', { n: n(answer.rows.length) })),
    answer.files.map((one) => h('p', { class: one.sums ? 'fb-soft' : 'fb-over' }, t(one.sums ? 'file_sums' : 'file_sums_differ', { file: one.file, n: n(one.rows) }))),
    findings(answer.findings),
    answer.unset.length ? h('div', { class: 'fb-remark fb-warning' }, t('unset_lead', { what: answer.unset.map((one) => t(`term_${one}`)).join(', ') }), ' ', button(t('part_terms'), () => go(state.project, 'data', 'terms'), { class: 'fb-link' })) : null,
    h('h2', {}, t('sums')),
    grid(['col_heading', '#col_granted', '#col_charged', '#col_left'], [...answer.sums.map((one) => h('tr', {}, h('th', { scope: 'row' }, one.heading, one.granted ? null : h('p', { class: 'fb-remark fb-error' }, t('not_granted'))), figure(one.granted), figure(one.charged, { class: one.over ? 'fb-over' : '' }), figure(one.left))),
      h('tr', { class: 'fb-total' }, h('th', { scope: 'row' }, t('total')), figure(answer.granted), figure(answer.charged), figure(''))], { id: 'fb-sums' }),
    answer.grant ? h('p', { class: 'fb-soft' }, t('cost_and_grant', { cost: answer.cost, grant: answer.grant })) : null,
    h('h2', {}, t('part_expenses')),
    h('div', { class: 'fb-actions' }, search, h('span', {}, only, ' ', h('label', { for: 'fb-faulty' }, t('only_faulty', { n: n(bad.length) })))),
    body,
    h('h2', {}, t('funder_sheet')), field(t('funder_sheet_choose'), sheet, t('funder_sheet_help'))]
}

const there = (one) => pointedAt(one.file, one.sheet, one.place)
const row = (one) => h('tr', { class: [one.findings.length ? 'fb-marked' : '', there(one) ? 'fb-here' : ''].join(' ').trim() || null },
  h('th', { scope: 'row' }, one.number),
  h('td', { dataset: { field: 'creditor nif partner' } }, one.creditor, h('p', { class: 'fb-soft' }, [one.nif, one.partner].filter(Boolean).join(' · '))),
  h('td', { dataset: { field: 'number issued' } }, one.invoice, h('p', { class: 'fb-soft' }, day(one.issued))),
  h('td', { dataset: { field: 'concept heading' } }, one.concept, h('p', { class: 'fb-soft' }, one.heading)),
  h('td', { dataset: { field: 'paid' } }, day(one.paid)), figure(one.cost, { dataset: { field: 'total' } }), figure(one.charged, { dataset: { field: 'charged' } }),
  h('td', {}, findings(one.findings), h('p', { class: 'fb-soft' }, t('row_of', { file: one.file, sheet: one.sheet, row: one.place })), one.proofs.length ? h('p', { class: 'fb-soft' }, t('proved_by', { what: one.proofs.join(', ') })) : null))
