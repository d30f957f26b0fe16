// Submission: pages before the download, fields of the portal to copy, the files.
import { button, fill, h, say, select } from './dom.js'
import { ask, go, n, on, state, t } from './store.js'

export function submission(root) {
  const page = h('section', { class: 'fb-page' })
  fill(root, page)
  const load = async () => {
    if (state.screen !== 'submission' || !state.project) return
    const fields = h('div', {})
    const pages = h('div', { class: 'fb-pages' })
    const files = h('div', {})
    const parcel = h('div', {})
    const kind = select([['docx', 'Word (.docx)'], ['pdf', 'PDF'], ['md', 'Markdown']], 'docx', null, { id: 'fb-export-kind', 'aria-label': t('file_kind') })
    const fresh = h('input', { type: 'checkbox', id: 'fb-fresh' })
    fill(page, h('h1', {}, t('submission')), h('p', { class: 'fb-lead' }, t('submission_lead')),
      h('section', {}, h('h2', {}, t('files')), h('div', { class: 'fb-actions' }, kind, button(t('download'), () => make(kind.value, fresh.checked, files), { class: 'fb-primary', id: 'fb-export' }), h('span', {}, fresh, ' ', h('label', { for: 'fb-fresh' }, t('fresh')))), h('p', { class: 'fb-soft' }, t('word_roundtrip')), files),
      h('section', {}, h('h2', {}, t('package')), h('p', { class: 'fb-soft' }, t('package_help')), h('div', { class: 'fb-actions' }, button(t('package_make'), () => pack(parcel), { id: 'fb-package' }), button(t('record'), () => offer('record', {}, parcel), { id: 'fb-record', title: t('record_help') })), parcel),
      h('section', {}, h('h2', {}, t('pages')), h('p', { class: 'fb-soft' }, t('pages_help')), button(t('show_pages'), () => draw(pages), { id: 'fb-show-pages' }), pages),
      h('section', {}, h('h2', {}, t('portal')), h('p', { class: 'fb-soft' }, t('portal_help')), fields))
    portal(fields)
  }
  const make = (kind, fresh, files) => offer('export', { kind, fresh }, files)
  const pack = async (place) => {
    const answer = await offer('package', {}, place)
    place.append(h('p', { class: answer.ready ? '' : 'fb-over', role: 'status' }, answer.ready ? t('package_ready') : t('package_draft', { n: answer.missing.length })), h('ul', {}, answer.missing.map((one) => h('li', {}, one))))
  }
  const offer = async (name, args, files) => {
    fill(files, h('p', { role: 'status' }, t('making')))
    const answer = await ask(name, args).catch((error) => { fill(files); throw error })
    const link = h('a', { href: answer.url, download: answer.filename, class: 'fb-file', id: 'fb-file-made' }, t('file_ready', { name: answer.filename, n: n(Math.ceil(answer.bytes / 1024)) }))
    fill(files, link, answer.notices.map((one) => h('p', { class: 'fb-soft' }, one)))
    link.click()
    return answer
  }
  const draw = async (place) => {
    fill(place, h('p', { role: 'status' }, t('making')))
    const answer = await ask('pages').catch((error) => { fill(place, h('p', { class: 'fb-fault' }, error.message)); throw error })
    const limit = answer.limits[0]
    fill(place, h('p', { class: limit && limit.maximum !== null && answer.count > limit.maximum ? 'fb-over' : '', role: 'status' }, limit && limit.maximum !== null ? t('pages_of', { n: answer.count, most: limit.maximum }) : t('pages_n', { n: answer.count })),
      answer.findings.map((one) => h('p', { class: 'fb-fault' }, one)), answer.notices.map((one) => h('p', { class: 'fb-soft' }, one)),
      h('div', { class: 'fb-page-row' }, answer.pages.map((url, index) => h('img', { src: url, alt: t('page_n', { n: index + 1 }), loading: 'lazy' }))))
  }
  const portal = async (place) => {
    const { fields } = await ask('fields')
    fill(place, fields.length ? fields.map((one) => {
      const limit = one.limits[0]
      const text = h('textarea', { readonly: true, rows: 4, 'aria-label': one.heading, value: one.text, class: 'fb-portal-text' })
      const count = limit ? `${n(limit.count)}${limit.maximum !== null ? ` / ${n(limit.maximum)}` : ''} ${t(`unit_${limit.unit}`)}` : `${n(one.text.length)} ${t('unit_characters')}`
      const over = limit && limit.maximum !== null ? limit.count - limit.maximum : 0
      const box = h('input', { type: 'checkbox', checked: one.pasted, id: `fb-pasted-${one.id}`, onchange: async (event) => { await ask('tick', { section: one.id, digest: one.digest, pasted: event.target.checked }); portal(place) } })
      return h('div', { class: 'fb-item fb-portal', dataset: { section: one.id } }, h('h3', {}, one.heading), h('p', { class: over > 0 ? 'fb-over' : 'fb-count' }, over > 0 ? `${t(over === 1 ? 'one_over' : 'over_by', { n: n(over), unit: t(`unit_${limit.unit}`) })} · ` : '', count), text,
        h('div', { class: 'fb-actions' }, button(t('copy'), async () => { await copy(one.copy, text); say(t('copied', { n: n(one.copy.length) })) }, { 'aria-label': `${t('copy')}: ${one.heading}` }), h('span', {}, box, ' ', h('label', { for: box.id }, t('pasted'))), one.stale ? h('span', { class: 'fb-over' }, t('pasted_stale')) : null, button(t('edit'), () => go(state.project, 'writing', one.id), { 'aria-label': `${t('edit')}: ${one.heading}` })))
    }) : h('p', { class: 'fb-empty' }, t('no_fields')))
  }
  on('place', load)
  on('language', load)
  load()
}

async function copy(text, area) {
  try { await navigator.clipboard.writeText(text) } catch { area.select(); document.execCommand('copy') }
}
