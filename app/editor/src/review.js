// Review: everything to be mended, each with its sentence, its place and what is known.
import { button, fill, h } from './dom.js'
import { ask, emit, go, on, state, t } from './store.js'

export function review(root) {
  const page = h('section', { class: 'fb-page' })
  fill(root, page)
  const load = async () => {
    if (state.screen !== 'review' || !state.project) return
    fill(page, h('h1', {}, t('review_screen')), h('p', { role: 'status' }, t('looking')))
    const answer = await ask('findings', { now: true })
    if (state.screen !== 'review') return
    const errors = answer.findings.filter((one) => one.severity === 'error').length
    const groups = new Map()
    for (const one of answer.findings) { if (!groups.has(one.section)) groups.set(one.section, []); groups.get(one.section).push(one) }
    fill(page, h('h1', {}, t('review_screen')), h('p', { class: 'fb-lead', role: 'status' }, answer.findings.length ? t('review_lead', { errors, warnings: answer.findings.length - errors }) : t('nothing_to_fix')),
      answer.notices.map((one) => h('p', { class: 'fb-soft' }, one)),
      [...groups].map(([section, list]) => { const one = state.outline.find((each) => each.id === section); return h('section', {}, h('h2', {}, one ? `${one.number} ${one.heading || t('front')}` : t('whole')), findingsList(list)) }))
  }
  on('place', load)
  on('language', load)
  on('findings', load)
  load()
}

export function findingsList(list) {
  return h('ul', { class: 'fb-plain fb-findings' }, list.map((one) => h('li', { class: `fb-item fb-${one.severity}` },
    h('p', {}, h('strong', {}, t(`severity_${one.severity}`)), ' ', one.sentence),
    one.quote && one.section ? button(`«${one.quote.slice(0, 120)}»`, () => emit('find', { section: one.section, quote: one.quote }), { class: 'fb-link fb-quote', title: t('go_to_sentence') }) : one.section && one.section !== state.section ? button(t('go_to_section'), () => go(state.project, 'writing', one.section), { class: 'fb-link' }) : null,
    one.evidence ? h('p', { class: 'fb-soft' }, t('known_from', { evidence: one.evidence })) : null)))
}
