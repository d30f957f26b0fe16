// Partners: who writes which section, the files that go out and come back, and the choice between two texts.
import { button, dialog, field, fill, h, say, select } from './dom.js'
import { table } from './choice.js'
import { NOTHING, authors, bring, download, dropzone, grid, remarks } from './parts.js'
import { ask, go, refreshOutline, state, t, when } from './store.js'

export async function partners(again) {
  const answer = await ask('partners')
  const edit = async (one) => { if (await partnerForm(one)) again() }
  const names = Object.fromEntries(answer.partners.map((one) => [one.id, one.name]))
  return [h('p', { class: 'fb-lead' }, t('partners_lead')),
    h('div', { class: 'fb-actions' }, button(t('add_partner'), () => edit(null), { class: 'fb-primary', id: 'fb-add-partner' })),
    answer.partners.length ? [
      grid(['col_partner', 'col_sections', ''], answer.partners.map((one) => h('tr', { dataset: { partner: one.id } }, h('th', { scope: 'row' }, one.name, h('p', { class: 'fb-soft' }, one.id)),
        h('td', {}, one.sections.length ? h('ul', { class: 'fb-plain' }, one.sections.map((section) => h('li', {}, button(section.heading || section.id, () => go(state.project, 'writing', section.id), { class: 'fb-link' }), ' ', h('span', { class: `fb-label fb-slot-${section.status}` }, t(`slot_${section.status}`))))) : h('span', { class: 'fb-soft' }, t('no_sections'))),
        h('td', { class: 'fb-actions' }, button(t('pack'), () => download('pack', { partner: one.id }), { 'aria-label': `${t('pack')}: ${one.name}`, disabled: !one.sections.length, title: t('pack_help') }), button(t('edit'), () => edit(one), { 'aria-label': `${t('edit')}: ${one.name}` })))), { id: 'fb-partners' }),
      h('h2', {}, t('returned')), dropzone('fb-returned', t('returned_files'), t('returned_help'), '.docx,.docm,.doc,.odt,.rtf,.pdf,.md,.txt', async (file) => { if (await takeBack(file)) { await refreshOutline(); again() } })] : h('p', { class: 'fb-empty' }, t('no_partners')),
    answer.clashes.length ? h('section', { id: 'fb-clashes' }, h('h2', {}, t('clashes_n', { n: answer.clashes.length })), h('p', { class: 'fb-lead' }, t('clashes_help')),
      answer.clashes.map((one) => h('div', { class: 'fb-item fb-error' }, h('p', {}, h('strong', {}, one.heading), ' · ', names[one.partner], h('span', { class: 'fb-soft' }, ` · ${one.file}`)),
        h('div', { class: 'fb-actions' }, button(t('clash_compare'), () => choose(one, names[one.partner]).then((done) => { if (done) again() }), { class: 'fb-primary', 'aria-label': `${t('clash_compare')}: ${one.heading}` }))))) : null,
    answer.files.length ? h('section', {}, h('h2', {}, t('returned_done')), grid(['col_partner', 'col_file', 'col_received', 'col_read'], answer.files.map((one) => h('tr', {}, h('th', { scope: 'row' }, names[one.partner] || one.partner), h('td', {}, one.file), h('td', {}, when(one.received)),
      h('td', {}, Object.entries(one.statuses).map(([key, count]) => h('p', {}, `${count} · ${t(`slot_${key}`)}`)), one.changes || one.notes ? h('p', { class: 'fb-soft' }, t('returned_counts', { changes: one.changes, notes: one.notes })) : null, one.changes ? button(t('changes_each'), async () => { await tracked(one); again() }, { class: 'fb-link', 'aria-label': `${t('changes_each')}: ${one.file}` }) : null, one.unplaced.length ? h('p', { class: 'fb-soft' }, t('unplaced', { what: one.unplaced.join(', ') })) : null))), { id: 'fb-returned-files' })) : null]
}

async function partnerForm(one) {
  const name = h('input', { value: one?.name || '', id: 'fb-partner-name' })
  const short = h('input', { value: one?.id || '', id: 'fb-partner-short', disabled: !!one, maxlength: 20 })
  const asked = new Set(one ? one.sections.map((each) => each.id) : [])
  const boxes = state.outline.filter((each) => each.level > 0).map((each) => ({ id: each.id, box: h('input', { type: 'checkbox', id: `fb-asked-${each.id}`, checked: asked.has(each.id) }), text: `${each.number} ${each.heading}` }))
  const done = await dialog(t(one ? 'edit' : 'add_partner'), [field(t('partner_name'), name), field(t('partner_short'), short, t('partner_short_help')),
    h('fieldset', { class: 'fb-choices' }, h('legend', {}, t('partner_sections')), boxes.map(({ box, text }) => h('div', {}, box, ' ', h('label', { for: box.id }, text))))], [[t('cancel'), null], [t('save'), true, 'fb-primary']], { id: 'fb-partner' })
  if (done) await ask('add-partner', { name: name.value, id: short.value, sections: boxes.filter(({ box }) => box.checked).map(({ id }) => id) })
  return done
}

/** What a returned file holds, whose it is, which changes count; true where it was taken in. */
async function takeBack(file) {
  let read = await bring(file, 'returned')
  let back = NOTHING
  const body = h('div', {})
  const draw = () => {
    const whose = select([['', t('partner_whose')], ...read.partners.map((one) => [one.id, one.name])], read.partner, async (value) => { if (!value) return; read = await ask('returned-again', { token: read.token, partner: value }); back = NOTHING; draw() }, { id: 'fb-whose' })
    fill(body, field(t('col_partner'), whose, t('partner_whose_help')),
      read.same ? h('p', { class: 'fb-remark fb-warning' }, t('returned_same')) : null,
      read.foreign ? h('p', { class: 'fb-remark fb-error' }, t('returned_foreign')) : null,
      read.earlier ? h('p', { class: 'fb-remark fb-warning' }, t('returned_earlier', { name: read.earlier })) : null,
      h('ul', {}, read.sections.map((one) => h('li', {}, one.heading, ` · ${one.words} ${t('unit_words')}`, one.renamed ? h('span', { class: 'fb-soft' }, ` · ${t('renamed', { name: one.renamed })}`) : null))),
      read.absent.length ? h('p', { class: 'fb-remark fb-warning' }, t('returned_absent', { what: read.absent.join(', ') })) : null,
      read.rest.length ? h('p', { class: 'fb-remark fb-warning' }, t('returned_rest', { what: read.rest.filter(Boolean).join(', ') })) : null,
      authors(read, (list) => { back = list }), remarks(read.comments))
    document.querySelector('#fb-back .fb-primary').disabled = !read.partner
  }
  const waiting = dialog(t('wizard', { name: read.filename }), body, [[t('cancel'), null], [t('take_in'), true, 'fb-primary']], { class: 'fb-dialog fb-wide', id: 'fb-back' })
  draw()
  if (!(await waiting)) { say(t('import_left')); return false }
  const { taken } = await ask('take-returned', { token: read.token, partner: read.partner, ...back, anyway: read.foreign })
  say(t('returned_taken', { name: taken.file, changes: taken.changes, notes: taken.notes }))
  return true
}

/** The tracked changes of a file that was taken in, each to be refused, or accepted again. */
async function tracked(file) {
  const which = { partner: file.partner, sha256: file.sha256 }
  const list = h('ul', { class: 'fb-plain', id: 'fb-tracked' })
  const draw = ({ changes }) => fill(list, changes.map((one) => h('li', { class: 'fb-item' }, h('p', {}, h('strong', {}, one.author), one.heading ? h('span', { class: 'fb-soft' }, ` · ${one.heading}`) : null), h('p', {}, h(one.kind === 'deletion' ? 'del' : 'ins', {}, one.text)), one.paragraph && one.paragraph !== one.text ? h('p', { class: 'fb-soft' }, `«${one.paragraph}»`) : null,
    h('div', { class: 'fb-actions' }, h('span', { class: `fb-label ${one.refused ? 'fb-slot-conflict' : 'fb-slot-accepted'}` }, t(one.refused ? 'change_refused' : 'change_accepted')), button(t(one.refused ? 'change_accept' : 'change_refuse'), async () => draw(await ask('decide-change', { ...which, numbers: [one.number], refused: !one.refused })), { 'aria-label': `${t(one.refused ? 'change_accept' : 'change_refuse')}: ${one.text.slice(0, 60)}` })))))
  draw(await ask('partner-changes', which))
  await dialog(t('changes_of', { name: file.file }), [h('p', {}, t('changes_each_help')), list], [[t('close'), null, 'fb-primary']], { class: 'fb-dialog fb-wide' })
  await refreshOutline()
}

async function choose(one, name) {
  const { rows } = await ask('compare', { section: one.section, version: one.version })
  const theirs = await dialog(one.heading, [h('p', {}, t('clash_choose', { name })), table(rows, name, t('now_text'))], [[t('cancel'), null], [t('clash_ours'), 'ours'], [t('clash_theirs'), 'theirs', 'fb-primary']], { class: 'fb-dialog fb-wide', id: 'fb-clash' })
  if (!theirs) return false
  await ask('settle-clash', { partner: one.partner, section: one.section, version: one.version, theirs: theirs === 'theirs' })
  return true
}
