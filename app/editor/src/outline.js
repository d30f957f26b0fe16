// The outline on the left: number, heading, state, count against the limit, what is to be mended.
import { button, fill, h, say } from './dom.js'
import { ask, counted, fault, go, live, measured, n, on, refreshOutline, state, t } from './store.js'

const over = (one) => one.limits.some((limit) => limit.maximum !== null && limit.count > limit.maximum)

const hidden = () => h('span', { class: 'fb-hidden' })
// of hundreds of rows: a copy costs a third of a new one
const PATTERN = h('button', { type: 'button' }, h('span', { class: 'fb-dot', 'aria-hidden': 'true' }), h('span', { class: 'fb-number' }), h('span', { class: 'fb-heading' }), hidden(),
  h('span', { class: 'fb-count' }, hidden()), h('span', { class: 'fb-badge' }, hidden()))

export function outline(root) {
  const progress = h('div', { class: 'fb-progress', role: 'status' })
  const pages = h('p', { id: 'fb-outline-pages' })
  const list = h('ol', { class: 'fb-outline' })
  const filter = h('input', { type: 'search', id: 'fb-filter', oninput: () => show() })
  const all = button('', () => draftAll(), { id: 'fb-draft-all' })
  fill(root, h('nav', { class: 'fb-outline-pane' }, h('div', { class: 'fb-outline-head' }, filter, all, pages, progress), list))
  const nav = root.firstChild
  const rows = new Map()

  const line = (one) => {
    const limit = one.limits[0]
    const count = limit ? measured(limit) : n(one.words)
    const unit = limit ? [t(`unit_${limit.unit}`), counted(limit)].filter(Boolean).join(' · ') : t('unit_words')
    const status = t(`status_${one.status}`)
    const row = PATTERN.cloneNode(true)
    const [, number, heading, said, amount, badge] = row.children
    row.className = `fb-row fb-${one.status}`
    row.style.paddingLeft = `${8 + 12 * Math.max(0, one.level - 1)}px`
    row.title = `${one.number} ${one.heading} · ${status}`
    if (one.id === state.section) row.setAttribute('aria-current', 'true')
    row.addEventListener('click', () => go(state.project, 'writing', one.id))
    number.textContent = one.number
    heading.textContent = one.heading || t('front')
    said.textContent = `, ${status}`
    amount.classList.toggle('fb-over', over(one))
    amount.title = unit
    amount.prepend(count)
    amount.lastChild.textContent = ` ${unit}`
    if (!one.findings) badge.remove()
    else {
      badge.classList.toggle('fb-error', one.errors > 0)
      badge.title = t('to_fix_n', { n: one.findings })
      badge.prepend(one.findings)
      badge.lastChild.textContent = ` ${t('to_fix')}`
    }
    return row
  }
  const draw = () => {
    nav.setAttribute('aria-label', t('outline'))
    filter.placeholder = t('filter')
    filter.setAttribute('aria-label', t('filter'))
    fill(all, t('draft_all'))
    all.title = t('draft_all_help')
    const whole = state.pages
    fill(pages, whole ? [h('span', { class: whole.maximum !== null && whole.count > whole.maximum ? 'fb-over' : '' }, `${measured(whole)} ${t('unit_pages')}`), h('span', { class: 'fb-soft' }, ` · ${counted(whole)}`)] : null)
    pages.hidden = !whole
    const before = list.scrollTop
    const same = list.childElementCount === state.outline.length
    state.outline.forEach((one, index) => {
      const key = JSON.stringify([one, one.id === state.section, state.language])
      const known = rows.get(one.id)
      if (same && known?.key === key && list.children[index] === known.item) return
      const item = h('li', { dataset: { section: one.id } }, line(one))
      if (same) list.children[index].replaceWith(item)
      else list.append(item)
      rows.set(one.id, { key, item, text: `${one.number} ${one.heading}`.toLowerCase() })
    })
    if (!same) {
      fill(list, state.outline.map((one) => rows.get(one.id).item))
      list.scrollTop = before
    }
    show()
    bar()
  }
  const show = () => { const wanted = filter.value.trim().toLowerCase(); for (const one of rows.values()) one.item.hidden = !!wanted && !one.text.includes(wanted) }
  const mark = () => {
    list.querySelector('[aria-current]')?.removeAttribute('aria-current')
    const current = rows.get(state.section)?.item
    if (!current) return
    current.firstChild.setAttribute('aria-current', 'true')
    current.scrollIntoView({ block: 'nearest' })
  }
  const bar = () => {
    const job = [...state.jobs.values()].filter((one) => one.kind === 'all').pop()
    if (!job || (!live(job) && job.seen)) { all.hidden = false; return fill(progress) }
    const heading = state.outline.find((one) => one.id === job.section)?.heading || ''
    all.hidden = live(job)
    if (live(job)) {
      const left = job.seconds_left === null ? '' : t('eta', { time: job.seconds_left < 90 ? t('seconds', { n: job.seconds_left }) : t('minutes', { n: Math.round(job.seconds_left / 60) }) })
      fill(progress, h('progress', { max: Math.max(1, job.total), value: job.done, 'aria-label': t('draft_all') }), h('p', {}, t('draft_all_at', { done: job.done, total: job.total, heading }), ' ', left), button(t('stop'), () => ask('stop', { job: job.id }), { class: 'fb-stop' }))
    } else {
      const missing = job.skipped.map((id) => state.outline.find((one) => one.id === id)).filter(Boolean)
      fill(progress, h('p', {}, (job.error && fault(job.fault, job.error[state.language])) || t('draft_all_done', { done: job.done, total: job.total })),
        missing.length ? [h('p', {}, t('draft_all_skipped', { n: missing.length })), h('ul', {}, missing.map((one) => h('li', {}, button(`${one.number} ${one.heading}`, () => { go(state.project, 'writing', one.id); document.getElementById('fb-tab-questions')?.click() }, { class: 'fb-link' }))))] : null,
        button(t('close'), () => { job.seen = true; bar() }))
    }
  }
  const draftAll = async () => { await ask('draft-all'); say(t('draft_all_began')) }
  on('outline', draw)
  on('place', mark)
  on('jobs', bar)
  on('section', refreshOutline)
  on('findings', refreshOutline)
  on('frame', refreshOutline)
  on('pages', refreshOutline)
  draw()
}
