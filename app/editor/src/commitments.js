// Commitments: what documents propose, to be confirmed, corrected or discarded; what binds, and how it went.
import { button, dialog, field, h, select } from './dom.js'
import { download, grid, named, readPlace } from './parts.js'
import { ask, state, t, when } from './store.js'

const STATUSES = ['', 'achieved', 'partly', 'not']
let kind = ''
let open = false

export async function commitments(again) {
  const answer = await ask('commitments')
  const act = async (name, args) => { await ask(name, args); again() }
  const decide = async (args) => { if (await named()) act('decide-commitments', args) }
  const kinds = answer.kinds.filter((one) => answer.commitments.some((each) => each.kind === one))
  const chosen = answer.commitments.filter((one) => (!kind || one.kind === kind) && (!open || one.finding))
  const format = select([['docx', 'Word (.docx)'], ['xlsx', 'Excel (.xlsx)'], ['csv', 'CSV']], 'docx', null, { id: 'fb-table-kind', 'aria-label': t('file_kind') })
  const filter = select([['', t('every_kind')], ...kinds.map((one) => [one, t(`commitment_${one}`)])], kinds.includes(kind) ? kind : '', (value) => { kind = value; again() }, { id: 'fb-kind-filter', 'aria-label': t('filter_kind') })
  const lacking = h('input', { type: 'checkbox', id: 'fb-lacking', checked: open, onchange: (event) => { open = event.target.checked; again() } })
  return [
    h('p', { class: 'fb-lead' }, t('commitments_lead')),
    answer.proposed.length ? h('section', { id: 'fb-proposed' }, h('h2', {}, t('proposed_n', { n: answer.proposed.length })), h('p', { class: 'fb-lead' }, t('commitments_proposed_help')),
      h('div', { class: 'fb-actions' }, button(t('confirm_all'), () => decide({ all: true, confirmed: true }), { class: 'fb-primary', id: 'fb-confirm-all' }), button(t('reject_all'), async () => { if (await dialog(t('reject_all'), h('p', {}, t('reject_all_ask', { n: answer.proposed.length })), [[t('cancel'), null], [t('reject'), true, 'fb-danger']])) decide({ all: true, confirmed: false }) })),
      grid(['col_what', 'col_commitment', 'col_promised', ''], answer.proposed.map((one) => h('tr', {}, h('th', { scope: 'row' }, t(`commitment_${one.kind}`), label(one)),
        h('td', {}, one.text, place(one)), h('td', {}, one.amends ? [h('del', {}, one.before), ' ', h('ins', {}, one.promised), h('p', { class: 'fb-soft' }, t('amends'))] : one.promised),
        h('td', { class: 'fb-actions' }, button(t('confirm'), () => decide({ numbers: [one.number], confirmed: true }), { 'aria-label': `${t('confirm')}: ${one.text}` }), button(t('edit'), async () => { if (await correct(one, 'revise-commitment', { number: one.number })) again() }, { 'aria-label': `${t('edit')}: ${one.text}` }), button(t('reject'), () => decide({ numbers: [one.number], confirmed: false }), { 'aria-label': `${t('reject')}: ${one.text}` })))), { label: t('proposed_n', { n: answer.proposed.length }) })) : null,
    h('div', { class: 'fb-actions' }, filter, h('span', {}, lacking, ' ', h('label', { for: 'fb-lacking' }, t('only_lacking', { n: answer.commitments.filter((one) => one.finding).length }))),
      button(t('add_commitment'), async () => { if (await named() && await addOne(answer.kinds)) again() }, { id: 'fb-add-commitment' }),
      answer.commitments.length ? [format, button(t('download_table'), () => download('commitment-table', { kind: format.value }), { id: 'fb-table' })] : null),
    answer.commitments.length ? grid(['col_what', 'col_commitment', 'col_promised', 'col_done', 'col_status', ''], chosen.map((one) => row(one, act, again)), { id: 'fb-matrix', label: t('part_commitments') }) : h('p', { class: 'fb-empty' }, t('no_commitments'))]
}

const label = (one) => (one.ref ? h('p', { class: 'fb-soft' }, one.ref) : null)
const place = (one) => h('p', { class: 'fb-soft' }, one.source ? button(one.place, () => readPlace(one.source, one.quote || one.text), { class: 'fb-link fb-place', title: t('go_to_place') }) : one.place)

function row(one, act, again) {
  const status = select(STATUSES.map((each) => [each, t(`status_of_${each || 'open'}`)]), one.status, (value) => act('state-commitment', { key: one.key, status: value }), { 'aria-label': `${t('col_status')}: ${one.text}`, class: `fb-status-${one.status || 'open'}` })
  return h('tr', { dataset: { key: one.key } }, h('th', { scope: 'row' }, t(`commitment_${one.kind}`), label(one)),
    h('td', {}, one.text, place(one)), h('td', {}, one.promised),
    h('td', {}, one.achieved, one.evidence.length ? h('p', { class: 'fb-soft' }, t('evidence_is', { what: one.evidence.join('; ') })) : null, one.explanation ? h('p', { class: 'fb-soft' }, t('explanation_is', { what: one.explanation })) : null),
    h('td', {}, status, one.status && one.finding ? h('p', { class: 'fb-remark fb-warning' }, one.finding) : null),
    h('td', { class: 'fb-actions' }, button(t('account'), async () => { if (await account(one)) again() }, { 'aria-label': `${t('account')}: ${one.text}` }), h('div', {}, button(t('edit'), async () => { if (await named() && await correct(one, 'change-commitment', { key: one.key })) again() }, { class: 'fb-link', 'aria-label': `${t('edit')}: ${one.text}` }), button(t('withdraw'), async () => { if (await named() && await dialog(t('withdraw'), [h('p', {}, one.text), h('p', { class: 'fb-soft' }, t('withdraw_ask'))], [[t('cancel'), null], [t('withdraw'), true, 'fb-danger']])) act('withdraw-commitment', { key: one.key }) }, { class: 'fb-link', 'aria-label': `${t('withdraw')}: ${one.text}` }), button(t('history'), () => past(one), { class: 'fb-link', 'aria-label': `${t('history')}: ${one.text}` }))))
}

async function account(one) {
  const status = select(STATUSES.map((each) => [each, t(`status_of_${each || 'open'}`)]), one.status, null, { id: 'fb-went-status' })
  const achieved = h('input', { value: one.achieved, id: 'fb-went-achieved' })
  const evidence = h('textarea', { rows: 3, value: one.evidence.join('\n'), id: 'fb-went-evidence' })
  const explanation = h('textarea', { rows: 3, value: one.explanation, id: 'fb-went-explanation' })
  const done = await dialog(t('account'), [h('p', {}, one.text), one.promised ? h('p', { class: 'fb-soft' }, t('promised_is', { what: one.promised })) : null, field(t('col_status'), status), field(t('col_done'), achieved, t('achieved_help')), field(t('evidence'), evidence, t('evidence_help')), field(t('explanation'), explanation, t('explanation_help'))], [[t('cancel'), null], [t('save'), true, 'fb-primary']])
  if (done) await ask('state-commitment', { key: one.key, status: status.value, achieved: achieved.value.trim(), evidence: evidence.value.split('\n').map((each) => each.trim()).filter(Boolean), explanation: explanation.value.trim() })
  return done
}

function fields(one) {
  const text = h('textarea', { rows: 3, value: one.text, id: 'fb-promise-text' })
  const target = h('input', { value: one.target, id: 'fb-promise-target' })
  const amount = h('input', { value: one.amount, id: 'fb-promise-amount', inputmode: 'decimal' })
  const due = h('input', { type: 'date', value: one.due, id: 'fb-promise-due' })
  return { body: [field(t('col_commitment'), text, t('commitment_text_help')), field(t('target'), target, t('target_help')), field(t('amount'), amount, t('amount_help')), field(t('due'), due, t('due_help'))], values: () => ({ text: text.value, target: target.value, amount: amount.value, due: due.value }) }
}
async function correct(one, name, which) {
  const { body, values } = fields(one)
  const done = await dialog(t('edit'), [one.quote ? h('p', { class: 'fb-soft' }, `«${one.quote}»`) : null, body], [[t('cancel'), null], [t('save'), true, 'fb-primary']])
  if (done) await ask(name, { ...which, ...values() })
  return done
}
async function addOne(kinds) {
  const what = select(kinds.map((one) => [one, t(`commitment_${one}`)]), 'activity', null, { id: 'fb-promise-kind' })
  const source = h('input', { id: 'fb-promise-source' })
  const { body, values } = fields({ text: '', target: '', amount: '', due: '' })
  const done = await dialog(t('add_commitment'), [field(t('col_what'), what), body, field(t('col_source'), source, t('fact_source_help'))], [[t('cancel'), null], [t('save'), true, 'fb-primary']])
  if (done) await ask('add-commitment', { kind: what.value, source: source.value, ...values() })
  return done
}

async function past(one) {
  const { states } = await ask('commitment-history', { key: one.key })
  await dialog(t('history'), grid(['col_since', 'col_bound', 'col_promised', 'col_status'], states.map((each) => h('tr', {}, h('th', { scope: 'row' }, when(each.created)), h('td', {}, t(`kind_${each.bound}`), h('p', { class: 'fb-soft' }, each.place)), h('td', {}, each.promised), h('td', {}, t(`status_of_${each.status || 'open'}`), each.by ? h('p', { class: 'fb-soft' }, each.by) : null)))), [[t('close'), null, 'fb-primary']], { class: 'fb-dialog fb-wide', id: 'fb-history' })
}
