// Spreadsheets: the columns that were recognised, corrected by the person; the other lists of the project.
import { dialog, fill, h, select } from './dom.js'
import { day, findings, grid, pointedAt } from './parts.js'
import { ask, n, t } from './store.js'

export const LISTS = ['expenses', 'hours', 'people', 'indicators', 'attendance']

/** What was read of a sheet, corrected until it is right; resolves with what was saved, null where nothing was. */
export async function sheetWizard(first) {
  let read = first
  const body = h('div', {})
  const choose = async (column, name) => {
    const columns = Object.fromEntries(Object.entries(read.mapping).filter(([key, index]) => index !== column && key !== name))
    if (name) columns[name] = column
    if (!Object.keys(columns).length) return draw()
    read = await ask('list-again', { token: read.token, columns })
    draw(column)
  }
  const draw = (focus = -1) => {
    const field_of = (column) => Object.keys(read.mapping).find((name) => read.mapping[name] === column) || ''
    const options = [['', t('column_unused')], ...read.fields.map((name) => [name, t(`field_${name}`)])]
    fill(body,
      h('p', { role: 'status' }, read.read ? t('sheet_read', { n: n(read.count), what: t(`kind_${read.kind}`) }) : t('sheet_unread')),
      h('p', { class: 'fb-soft' }, t(read.remembered ? 'columns_remembered' : 'columns_proposed')),
      read.read ? null : h('p', { class: 'fb-remark fb-error' }, t('columns_choose')),
      grid(['col_column', 'col_head', 'col_samples', 'col_meaning'], read.columns.map((one) => h('tr', {}, h('th', { scope: 'row' }, one.letter), h('td', {}, one.head), h('td', { class: 'fb-soft' }, one.samples.join(' · ')),
        h('td', {}, select(options, field_of(one.index), (value) => choose(one.index, value), { 'aria-label': t('meaning_of', { column: one.head || one.letter }), id: `fb-column-${one.letter}` })))), { id: 'fb-columns' }),
      read.read ? [
        read.sums.map((one) => h('p', { class: one.ok ? 'fb-soft' : 'fb-over' }, t(one.ok ? 'sum_same' : 'sum_differs', { field: t(`field_${one.field}`), stated: one.stated, summed: one.summed }))),
        findings(read.findings), read.notices.map((one) => h('p', { class: 'fb-soft' }, one)),
        h('h3', {}, read.faulty ? t('rows_faulty', { n: n(read.faulty) }) : t('rows')),
        rowsTable(read.kind, read.shown, read.rows, 'fb-preview'), read.more ? h('p', { class: 'fb-soft' }, t('rows_more', { n: n(read.more) })) : null] : null)
    document.querySelector('#fb-sheet .fb-primary').disabled = !read.read
    if (focus >= 0) document.getElementById(`fb-column-${read.columns.find((one) => one.index === focus)?.letter}`)?.focus()
  }
  const waiting = dialog(t('wizard', { name: read.filename }), body, [[t('cancel'), null], [t('save'), true, 'fb-primary']], { class: 'fb-dialog fb-wide', id: 'fb-sheet' })
  draw()
  return (await waiting) ? ask('save-list', { token: read.token }) : null
}

function rowsTable(kind, fields, rows, id) {
  const shown = fields.filter((name) => name !== 'order' && rows.some((row) => row.cells[name]))
  const faulty = rows.some((row) => row.findings.length)
  return grid(['col_row', ...shown.map((name) => `${figures.has(name) ? '#' : ''}field_${name}`), ...(faulty ? ['col_remarks'] : [])], rows.map((row) => h('tr', { class: [row.findings.length ? 'fb-marked' : '', pointedAt(row.file, row.sheet, row.row) ? 'fb-here' : ''].join(' ').trim() || null }, h('th', { scope: 'row' }, row.row),
    shown.map((name) => h('td', { class: figures.has(name) ? 'fb-figure' : null, dataset: { field: name } }, dates.has(name) ? day(row.cells[name]) : row.cells[name])), faulty ? h('td', {}, findings(row.findings)) : null)), { id, label: t(`kind_${kind}`) })
}
const dates = new Set(['issued', 'paid', 'when', 'start', 'end'])
const figures = new Set(['base', 'vat', 'vat_rate', 'total', 'percent', 'charged', 'quotes', 'hours', 'rate', 'cost', 'dedication', 'attendees', 'women', 'men'])

/** Hours, people, indicators, attendance, publications and references. */
export async function lists() {
  const [answer, { references }] = await Promise.all([ask('lists'), ask('references')])
  const empty = !answer.lists.length && !answer.publications.length && !references.length
  return [h('p', { class: 'fb-lead' }, t('lists_lead')), empty ? h('p', { class: 'fb-empty' }, t('no_lists')) : null,
    answer.lists.map((one) => h('section', {}, h('h2', {}, t(`kind_${one.kind}`)), findings(one.findings), rowsTable(one.kind, one.fields, one.rows, `fb-list-${one.kind}`))),
    answer.publications.length ? h('section', {}, h('h2', {}, t('kind_publications')), findings(answer.publication_findings), h('ol', { id: 'fb-publications' }, answer.publications.map((one) => h('li', {}, one)))) : null,
    references.length ? h('section', {}, h('h2', {}, t('references')), h('p', { class: 'fb-soft' }, t('references_help')), h('ul', { id: 'fb-references' }, references.map((one) => h('li', {}, one.words)))) : null]
}
