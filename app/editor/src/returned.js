// The report back from Word: whose changes to take, what came in, and both texts where both sides changed one place.
import { choose, table } from './choice.js'
import { dialog, fill, h, say } from './dom.js'
import { NOTHING, authors, bring, dropzone, remarks } from './parts.js'
import { ask, emit, n, refreshOutline, t } from './store.js'

/** Read an edited file and take its changes in; resolves with what became of it, null where the person thought better. */
export async function bringBack(file) {
  const read = await bring(file, 'word')
  let back = NOTHING
  const wanted = await dialog(t('word_back_title', { name: read.filename }), [h('p', {}, t('word_back_lead')), authors(read, (list) => { back = list }), remarks(read.comments)],
    [[t('cancel'), null], [t('word_take'), true, 'fb-primary']], { id: 'fb-word-back' })
  if (!wanted) { say(t('import_left')); return null }
  const sections = back === NOTHING ? read.sections : (await ask('read-again', { token: read.token, ...back })).sections
  const plan = sections.map((one, index) => ({ heading: one.heading, level: one.level, parts: [[index, 0, one.blocks.length]] }))
  const saved = await ask('save-import', { token: read.token, ...back, plan })
  await settle(saved)
  return saved
}

/** Say what came of it, and let the person choose wherever both sides changed one place. */
async function settle(saved) {
  await refreshOutline()
  emit('reload')
  say(t('word_done', { n: n(saved.taken) }))
  for (const [index, one] of saved.clashes.entries()) await clash(one, index + 1, saved.clashes.length)
}

async function clash(one, number, total) {
  const { rows } = await ask('diff', { section: one.section, old: one.mine, new: one.file })
  const chosen = await dialog(t('word_clash', { title: one.title }), [h('p', {}, t('word_clash_lead', { number, total })), table(rows, t('now_text'), t('word_text'))],
    [[t('word_parts'), 'parts'], [t('word_theirs'), 'theirs'], [t('clash_keep_mine'), 'mine', 'fb-primary']], { class: 'fb-dialog fb-wide', id: 'fb-word-clash' })
  if (chosen === 'theirs') await ask('restore', { section: one.section, version: one.version })
  if (chosen === 'parts') {
    const text = await choose(one.mine, one.file, one.section)
    if (text !== null) await ask('save', { section: one.section, text, token: (await ask('section', { section: one.section })).token })
  }
  await refreshOutline()
  emit('reload')
}

/** What became of a file that came back, as lines. */
function told(saved) {
  return [h('p', { role: 'status' }, t('word_done', { n: n(saved.taken) })),
    saved.clashes.length ? h('p', {}, t('word_clashed', { n: n(saved.clashes.length) })) : null,
    saved.unknown.length ? [h('p', { class: 'fb-over' }, t('word_unknown')), h('ul', {}, saved.unknown.map((one) => h('li', {}, one)))] : null,
    saved.absent.length ? h('p', { class: 'fb-soft' }, t('word_absent', { n: n(saved.absent.length) })) : null,
    saved.notices.map((one) => h('p', { class: 'fb-soft' }, one))]
}

/** The place on the screen where an edited file is brought back. */
export function returnPlace() {
  const place = h('div', {})
  const take = async (file) => { const saved = await bringBack(file); if (saved) fill(place, told(saved)) }
  return [dropzone('fb-word-file', t('word_bring'), t('word_bring_help'), '.docx,.docm', take), place]
}
