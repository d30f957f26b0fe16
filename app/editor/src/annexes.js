// Annexes: proofs numbered from the expense rows, what is missing, photos.
import { button, dialog, field, fill, h, say, select } from './dom.js'
import { bring, download, dropzone, findings, grid } from './parts.js'
import { ask, n, on, state, t } from './store.js'

const PICTURES = '.jpg,.jpeg,.png,.gif,.webp,.tif,.tiff,.bmp'

export function annexes(root) {
  const page = h('section', { class: 'fb-page' })
  fill(root, page)
  const load = async () => {
    if (state.screen !== 'annexes' || !state.project) return
    const answer = await ask('annexes')
    const absent = answer.form.filter((one) => !one.there && one.required)
    fill(page, h('h1', {}, t('annexes')), h('p', { class: 'fb-lead' }, t('annexes_lead')),
      h('div', { class: 'fb-pair' }, dropzone('fb-proofs', t('proofs'), t('proofs_help'), `${PICTURES},.pdf`, (file) => addProof(file).then(load)), dropzone('fb-photos', t('photos'), t('photos_help'), PICTURES, (file) => addPhoto(file).then(load))),
      answer.form.length ? h('section', {}, h('h2', {}, t('form_annexes')), h('ul', { class: 'fb-plain', id: 'fb-form-annexes' }, answer.form.map((one) => h('li', { class: one.there || !one.required ? '' : 'fb-remark fb-warning' }, one.there ? '✓ ' : '· ', one.name, one.there ? '' : ` (${t(one.required ? 'annex_lacking' : 'annex_if')})`)))) : null,
      h('section', {}, h('h2', {}, t('annexes_numbered')), answer.annexes.length ? [
        h('div', { class: 'fb-actions' }, button(t('annexes_pdf'), () => download('annexes-pdf'), { class: 'fb-primary', id: 'fb-annexes-pdf' })),
        grid(['col_number', 'col_annex', 'col_file', 'col_proves', ''], answer.annexes.map((one) => h('tr', {}, h('th', { scope: 'row' }, one.number), h('td', {}, one.title, one.payment ? h('p', { class: 'fb-soft' }, t('of_payment')) : null), h('td', {}, button(one.file, () => download('open-proof', { sha256: one.sha256 }), { class: 'fb-link' })),
          h('td', {}, one.rows.length ? t('expenses_n', { n: one.rows.join(', ') }) : one.annex ? '' : h('p', { class: 'fb-remark fb-warning' }, t('proves_nothing'))),
          h('td', { class: 'fb-actions' }, button(t('link_proof'), async () => { if (await link(one, answer)) load() }, { 'aria-label': `${t('link_proof')}: ${one.file}` })))), { id: 'fb-annex-table' })] : h('p', { class: 'fb-empty' }, t('no_annexes'))),
      answer.missing.length ? h('section', { id: 'fb-missing' }, h('h2', {}, t('missing_n', { n: n(answer.missing.length) })), findings(answer.missing)) : answer.annexes.length && !absent.length ? h('p', { role: 'status' }, t('nothing_missing')) : null,
      answer.photos.length ? h('section', {}, h('h2', {}, t('photos')), h('p', { class: 'fb-soft' }, t('photos_use')), h('div', { class: 'fb-photos' }, answer.photos.map((one) => h('figure', {}, h('img', { src: `picture/${encodeURIComponent(state.project)}/${one.name}`, alt: one.file, loading: 'lazy' }), h('figcaption', { class: 'fb-soft' }, one.file, one.lighter ? ` · ${t('photo_stripped')}` : ''))))) : null)
  }
  on('place', load)
  on('language', load)
  on('annexes', load)
  on('lists', load)
  load()
}

export async function addProof(file) {
  const done = await bring(file, 'proofs')
  say(done.rows.length ? t('proof_added', { name: done.filename, n: done.rows.join(', ') }) : t('proof_alone', { name: done.filename }))
}
export async function addPhoto(file) {
  const done = await bring(file, 'photos')
  say(t(done.lighter ? 'photo_added_stripped' : 'photo_added', { name: done.filename }))
}

async function link(one, answer) {
  const boxes = answer.rows.map((row) => ({ row, box: h('input', { type: 'checkbox', id: `fb-row-${row.number}`, checked: one.rows.includes(row.number) }) }))
  const annex = select([['', t('annex_none')], ...answer.form.map((each) => [each.id, each.name])], one.annex, null, { id: 'fb-link-annex' })
  const done = await dialog(t('link_of', { name: one.file }), [answer.form.length ? field(t('link_annex'), annex, t('link_annex_help')) : null,
    h('fieldset', { class: 'fb-choices' }, h('legend', {}, t('link_rows')), boxes.map(({ row, box }) => h('div', {}, box, ' ', h('label', { for: box.id }, `${row.number}. ${row.label}`))))], [[t('cancel'), null], [t('save'), true, 'fb-primary']], { id: 'fb-link' })
  if (done) await ask('link-proof', { file: one.file, rows: boxes.filter(({ box }) => box.checked).map(({ row }) => row.number), annex: annex.value })
  return done
}
