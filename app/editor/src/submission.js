// Submission: what is missing, pages before the download, fields of the portal to copy, files, Word and back, the package.
import { button, fill, h, say, select } from './dom.js'
import { returnPlace } from './returned.js'
import { ask, go, n, on, spoken, state, t, when } from './store.js'

export function submission(root) {
  const page = h('section', { class: 'fb-page' })
  fill(root, page)
  const load = async () => {
    if (state.screen !== 'submission' || !state.project) return
    const [before, fields, pages, files, parcel, frozen, asked] = Array.from({ length: 7 }, () => h('div', {}))
    pages.className = 'fb-pages'
    const kind = select([['docx', 'Word (.docx)'], ['pdf', 'PDF'], ['md', 'Markdown']], 'docx', null, { id: 'fb-export-kind', 'aria-label': t('file_kind') })
    const fresh = h('input', { type: 'checkbox', id: 'fb-fresh' })
    const part = (name, ...inside) => h('section', {}, h('h2', {}, t(name)), h('p', { class: 'fb-soft' }, t(`${name}_help`)), inside)
    fill(page, h('h1', {}, t('submission')), h('p', { class: 'fb-lead' }, t('submission_lead')),
      part('before', before),
      part('pages', button(t('show_pages'), () => draw(pages), { id: 'fb-show-pages' }), pages),
      part('portal', fields),
      part('files', h('div', { class: 'fb-actions' }, kind, button(t('download'), () => offer('export', { kind: kind.value, fresh: fresh.checked }, files), { class: 'fb-primary', id: 'fb-export' }), h('span', {}, fresh, ' ', h('label', { for: 'fb-fresh' }, t('fresh')))), files),
      part('word', returnPlace()),
      part('package', button(t('package_make'), () => pack(parcel, frozen), { id: 'fb-package' }), parcel, frozen),
      part('asked_for', h('div', { class: 'fb-actions' }, button(t('evidence_sheet'), () => proofs('xlsx', asked), { id: 'fb-evidence' }), button(t('evidence_word'), () => proofs('docx', asked), { id: 'fb-evidence-word' }), button(t('record'), () => offer('record', {}, asked), { id: 'fb-record' })), asked))
    portal(fields)
    missing(before)
    presented(frozen)
  }
  const missing = async (place) => {
    fill(place, h('p', { role: 'status' }, t('looking')))
    const answer = await ask('missing', {}, { quiet: true }).catch((error) => { fill(place, h('p', { class: 'fb-fault' }, error.message)); throw error })
    const groups = new Map()
    for (const one of answer.missing) { if (!groups.has(one.section)) groups.set(one.section, []); groups.get(one.section).push(one) }
    const row = ([id, list]) => {
      const section = state.outline.find((one) => one.id === id)
      return h('li', { class: 'fb-item fb-error' }, section ? button(`${section.number} ${section.heading || t('front')}`.trim(), () => go(state.project, 'writing', id), { class: 'fb-link' }) : h('strong', {}, t('whole')), h('ul', {}, list.map((one) => h('li', {}, spoken(one.sentence)))))
    }
    fill(place, h('p', { role: 'status', class: answer.missing.length ? 'fb-over' : '' }, answer.missing.length ? t('before_n', { n: n(answer.missing.length) }) : t('package_ready')),
      answer.missing.length ? h('details', { open: answer.missing.length < 12 }, h('summary', {}, t('before_show')), h('ul', { class: 'fb-plain' }, [...groups].map(row))) : null,
      answer.notices.map((one) => h('p', { class: 'fb-soft' }, one)))
  }
  const size = (bytes) => `${n(Math.ceil(bytes / 1024))} KB`
  const pack = async (place, frozen) => {
    const answer = await offer('package', {}, place)
    place.append(h('p', { class: answer.ready ? '' : 'fb-over', role: 'status' }, answer.ready ? t('package_ready') : t('package_draft', { n: answer.missing.length })),
      h('ul', {}, answer.missing.map((one) => h('li', {}, one))),
      h('details', { open: answer.ready }, h('summary', {}, t('package_files', { n: answer.files.length })), h('ul', {}, answer.files.map((one) => h('li', {}, `${one.name} (${size(one.bytes)})`)))))
    presented(frozen)
  }
  const presented = async (place) => {
    const { presented: ones } = await ask('presented', {}, { quiet: true })
    const made = h('div', {})
    fill(place, ones.length ? [h('h3', {}, t('presented')), h('p', { class: 'fb-soft' }, t('presented_help')),
      h('ul', { class: 'fb-plain' }, ones.map((one) => h('li', { class: 'fb-item' }, h('strong', {}, one.name), h('p', { class: 'fb-soft' }, `${when(one.created)} · ${t('package_files', { n: one.files.length })} · SHA-256 ${one.sha256.slice(0, 12)}…`),
        button(t('presented_download'), () => offer('presented-file', { id: one.id }, made), { 'aria-label': `${t('presented_download')}: ${one.name}, ${when(one.created)}` })))), made] : null)
  }
  const proofs = async (kind, place) => {
    const answer = await offer('evidence', { kind }, place)
    place.append(h('p', { role: 'status', class: answer.without ? 'fb-over' : '' }, t('evidence_told', { n: n(answer.figures), without: n(answer.without) })))
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
