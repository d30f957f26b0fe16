// Two texts side by side, paragraph by paragraph: to read the difference, and to choose.
import { dialog, h } from './dom.js'
import { ask, t } from './store.js'

// marks of Markdown are no words: they are not shown
const MARK = /^(\*+|_+|`+|#+|\|+|\\|\[\^.*|\{\.underline\})$/

export function sides(pieces) {
  return pieces.map(([kind, text]) => {
    const shown = text.split(/(\s+|\*+|_+|`+|#+|\|+|\\)/).filter((one) => !MARK.test(one)).join('').replace(/\n+/g, '\n')
    if (!shown) return null
    return kind === '-' ? h('del', {}, shown) : kind === '+' ? h('ins', {}, shown) : shown
  })
}

export function table(rows, left, right) {
  return h('table', { class: 'fb-diff' }, h('thead', {}, h('tr', {}, h('th', { scope: 'col' }, left), h('th', { scope: 'col' }, right))),
    h('tbody', {}, rows.map((row) => h('tr', { class: `fb-${row.kind}` }, h('td', {}, sides(row.old)), h('td', {}, sides(row.new))))))
}

/** Take by paragraph: resolves with the text chosen, null where the person thought better. */
export async function choose(old, text, section) {
  const { rows } = await ask('diff', { section, old, new: text })
  const whole = (pieces) => pieces.map(([, one]) => one).join('')
  const choices = rows.map((row) => {
    if (row.kind === 'same') return { row, value: () => whole(row.old), item: h('tr', { class: 'fb-same' }, h('td', {}), h('td', { colspan: 2 }, sides(row.old))) }
    const box = h('input', { type: 'checkbox', checked: true, 'aria-label': t('take_this') })
    return { row, value: () => (box.checked ? whole(row.new) : whole(row.old)), item: h('tr', { class: `fb-${row.kind}` }, h('td', {}, box), h('td', {}, sides(row.old)), h('td', {}, sides(row.new))) }
  })
  const body = [h('p', {}, t('take_parts_help')), h('table', { class: 'fb-diff' }, h('thead', {}, h('tr', {}, h('th', { scope: 'col' }, t('take_this')), h('th', { scope: 'col' }, t('now_text')), h('th', { scope: 'col' }, t('proposal')))), h('tbody', {}, choices.map((one) => one.item)))]
  return dialog(t('take_parts'), body, [[t('cancel'), null], [t('take'), () => `${choices.map((one) => one.value()).filter((one) => one.trim()).join('\n\n')}\n`, 'fb-primary']], { class: 'fb-dialog fb-wide', id: 'fb-choice' })
}
