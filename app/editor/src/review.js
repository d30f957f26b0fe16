// Review: everything to be mended, each with its sentence, its place and what is known.
import { button, dialog, field, fill, h, say } from './dom.js'
import { openPlace } from './parts.js'
import { ask, bare, emit, go, on, refreshOutline, spoken, state, t } from './store.js'

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
      [...groups].map(([section, list]) => { const one = state.outline.find((each) => each.id === section); return h('section', {}, h('h2', {}, one ? `${one.number} ${one.heading || t('front')}` : t('whole')), findingsList(list, load)) }), asideList(answer.aside, load))
  }
  on('place', load)
  on('language', load)
  on('findings', load)
  load()
}

export function findingsList(list, again) {
  return h('ul', { class: 'fb-plain fb-findings' }, list.map((one) => h('li', { class: `fb-item fb-${one.severity}` },
    h('p', {}, h('strong', {}, t(`severity_${one.severity}`)), ' ', spoken(one.sentence)),
    one.there ? button(`«${bare(one.quote, 120)}»`, () => emit('find', { section: one.section, quote: one.quote }), { class: 'fb-link fb-quote', title: t('go_to_sentence') })
      : [one.quote ? h('p', { class: 'fb-quote' }, `«${bare(one.quote, 200)}»`) : null, one.section && one.section !== state.section ? button(t('go_to_section'), () => go(state.project, 'writing', one.section), { class: 'fb-link' }) : null],
    one.evidence && one.evidence !== one.quote ? h('p', { class: 'fb-soft' }, one.document || one.part ? button(t('known_from', { evidence: bare(one.evidence) }), () => openPlace(one, one.words), { class: 'fb-link fb-place', title: t('go_to_place') }) : t('known_from', { evidence: bare(one.evidence) })) : null,
    one.suggestion ? h('p', { class: 'fb-soft' }, t('suggestion', { text: one.suggestion })) : null,
    h('div', { class: 'fb-aside' }, button(t('put_aside'), () => putAside(one, again), { class: 'fb-link', title: t('put_aside_help'), 'aria-label': `${t('put_aside')} ${one.sentence}` })))))
}

async function putAside(one, again) {
  const reason = h('textarea', { rows: 3, id: 'fb-reason', maxlength: 500 })
  const done = await dialog(t('put_aside_title'), [h('p', {}, spoken(one.sentence)), h('p', {}, t('put_aside_help')), field(t('reason'), reason, t('reason_help'))],
    [[t('cancel'), null], [t('put_aside_title'), true, 'fb-primary']], { id: 'fb-put-aside' })
  if (!done) return
  if (!reason.value.trim()) return say(t('reason_missing'), 'error')
  await ask('put-aside', { rule: one.rule, reason: reason.value })
  refreshOutline()
  again()
}

/** The rules that do not hold in this report, each with its reason and the way back. */
export function asideList(list, again) {
  return list.length ? h('details', { class: 'fb-asides', id: 'fb-asides' }, h('summary', {}, t('asides', { n: list.length })),
    h('ul', { class: 'fb-plain' }, list.map((one) => h('li', { class: 'fb-item' }, h('p', {}, one.says), h('p', { class: 'fb-soft' }, t('reason_is', { reason: one.reason })),
      button(t('take_up'), async () => { await ask('take-up', { rule: one.rule }); refreshOutline(); again() }, { 'aria-label': `${t('take_up')}: ${one.says}` }))))) : null
}
