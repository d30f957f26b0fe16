// Citations: what stands between the brackets, how it is shown, and the choice from the project's references.
import { button, dialog, field, fill, h } from './dom.js'
import { ask, go, state, t } from './store.js'

const KEY = /(^|[^\p{L}\p{N}_\\])(-?)@(?:\{([^{}\s]+)\}|([\p{L}\p{N}_](?:[\p{L}\p{N}_]|[:.#$%&\-+?<>~/](?=[\p{L}\p{N}_]))*))/u

/** The parts of a citation's inside: what stands before a key, the key, what stands behind it; null where it is none. */
export function parts(text) {
  const found = text.split(';').map((part) => {
    const match = KEY.exec(part)
    return match && { whole: part.trim(), key: match[3] || match[4], before: part.slice(0, match.index + match[1].length).trim(), after: part.slice(match.index + match[0].length).replace(/^\s*,?\s*/, '').trim() }
  })
  return found.every(Boolean) ? found : null
}
const reference = (key) => (state.references || []).find((one) => one.key === key)
/** A citation as it is read: '(García, 2021, p. 3; Pons, 2019)'. */
export const cited = (text) => `(${(parts(text) || []).map((one) => [one.before, [reference(one.key)?.short || `@${one.key}`, one.after].filter(Boolean).join(', ')].filter(Boolean).join(' ')).join('; ')})`
/** Whether every key has its reference. */
export const complete = (text) => (parts(text) || []).every((one) => reference(one.key))

/** What chips in a text show: references by their words, facts by their values. */
export async function loadChips() {
  const [{ references }, { facts }] = await Promise.all([ask('references', {}, { quiet: true }), ask('facts', {}, { quiet: true })]).catch(() => [{ references: [] }, { facts: [] }])
  state.references = references
  state.factValues = Object.fromEntries(facts.map((one) => [one.name, one.value]))
}

/** Choose what is cited. Resolves with the inside of the brackets, '' where it is to go, null where the person thought better. */
export async function chooseCitation(text = '') {
  const before = parts(text) || []
  const kept = new Map(before.map((one) => [one.key, one]))
  const known = state.references || []
  const strange = before.filter((one) => !reference(one.key)).map((one) => ({ key: one.key, short: one.key, words: t('cite_unknown', { key: one.key }) }))
  if (!known.length && !strange.length) {
    if (await dialog(t('tool_cite'), h('p', {}, t('cite_none')), [[t('cancel'), null], [t('documents'), true, 'fb-primary']])) go(state.project, 'documents')
    return null
  }
  const chosen = new Set(kept.keys())
  const detail = h('input', { id: 'fb-cite-detail', value: before.length === 1 ? before[0].after : '', maxlength: 80 })
  const rows = [...strange, ...known].map((one, index) => ({ one, box: h('input', { type: 'checkbox', id: `fb-cite-${index}`, checked: chosen.has(one.key), onchange: (event) => { chosen[event.target.checked ? 'add' : 'delete'](one.key); detail.disabled = chosen.size !== 1 } }) }))
  const list = h('fieldset', { class: 'fb-choices', id: 'fb-cite-list' })
  const draw = (wanted) => fill(list, h('legend', {}, t('references')), rows.filter(({ one }) => `${one.key} ${one.words}`.toLowerCase().includes(wanted)).map(({ one, box }) => h('div', {}, box, ' ', h('label', { for: box.id }, one.words))))
  const filter = h('input', { type: 'search', id: 'fb-cite-filter', oninput: (event) => draw(event.target.value.trim().toLowerCase()) })
  detail.disabled = chosen.size !== 1
  draw('')
  const done = await dialog(t('tool_cite'), [field(t('cite_filter'), filter), list, field(t('cite_detail'), detail, t('cite_detail_help'))], [[t('cancel'), null], ...(text ? [[t('cite_remove'), 'remove', 'fb-danger']] : []), [t('ok'), 'take', 'fb-primary']], { class: 'fb-dialog fb-wide', id: 'fb-cite' })
  if (!done) return null
  if (done === 'remove' || !chosen.size) return ''
  const keys = [...chosen]
  if (keys.length > 1) return keys.map((key) => kept.get(key)?.whole || written(key)).join('; ')
  const [only] = keys
  if (before.length > 1 && kept.has(only) && !detail.value.trim()) return kept.get(only).whole
  return [kept.get(only)?.before, [written(only), detail.value.replace(/[[\];]/g, ' ').trim()].filter(Boolean).join(', ')].filter(Boolean).join(' ')
}
/** A key as it is written, in braces where its letters ask for them. */
const written = (key) => { const plain = `@${key}`; return KEY.exec(plain)?.[4] === key ? plain : `@{${key}}` }
