// The right of the writing screen: what belongs to the section, in tabs.
import { button, dialog, fill, h, say } from './dom.js'
import { table } from './choice.js'
import { factsTable, factForm } from './data.js'
import { asideList, findingsList } from './review.js'
import { ask, bare, emit, go, on, remark, remember, state, t, when } from './store.js'
import { named, readPlace } from './parts.js'

const TABS = ['findings', 'facts', 'questions', 'paragraphs', 'versions', 'sources', 'notes', 'window']

export function side(root) {
  let current = localStorage.getItem('fabai:tab') || 'findings'
  const tabs = h('div', { class: 'fb-tabs', role: 'tablist' })
  const panel = h('div', { class: 'fb-panel', role: 'tabpanel', id: 'fb-panel', tabindex: 0 })
  fill(root, h('aside', { class: 'fb-side-pane' }, tabs, panel))
  let turn = 0
  const draw = () => {
    root.firstChild.setAttribute('aria-label', t('side'))
    tabs.setAttribute('aria-label', t('side'))
    fill(tabs, TABS.map((name) => h('button', { type: 'button', role: 'tab', id: `fb-tab-${name}`, 'aria-selected': String(name === current), 'aria-controls': 'fb-panel', tabindex: name === current ? 0 : -1, onclick: () => open(name), onkeydown: arrows }, t(`tab_${name}`))))
    panel.setAttribute('aria-labelledby', `fb-tab-${current}`)
  }
  const arrows = (event) => {
    const by = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key]
    if (!by) return
    event.preventDefault()
    open(TABS[(TABS.indexOf(current) + by + TABS.length) % TABS.length])
    document.getElementById(`fb-tab-${current}`).focus()
  }
  const open = (name) => { current = name; remember('fabai:tab', name); draw(); load() }
  const load = async () => {
    if (state.screen !== 'writing' || !state.section) return
    const mine = ++turn
    const made = await PANELS[current](load).catch((error) => h('p', { class: 'fb-fault' }, error.message))
    if (mine === turn) fill(panel, made)
  }
  const when_open = (...names) => () => { if (names.includes(current)) load() }
  on('section-open', load)
  on('language', () => { draw(); load() })
  on('findings', when_open('findings'))
  on('facts', when_open('facts', 'questions'))
  on('notes', when_open('notes'))
  on('settled', when_open('versions', 'paragraphs'))
  on('section', when_open('versions', 'questions'))
  on('jobs', (job) => { if (job && job.state !== 'writing') when_open('versions', 'questions')() })
  on('paragraphs', (list) => { shownParagraphs = list; if (current === 'paragraphs') load() })
  draw()
  load()
}

let shownParagraphs = []

const PANELS = {
  async findings(again) {
    const answer = await ask('findings', {}, { quiet: true })
    const mine = answer.findings.filter((one) => one.section === state.section)
    return [h('h3', {}, t('tab_findings')), !answer.known ? h('p', { role: 'status' }, t('looking')) : findingsList(mine, again), answer.known && !mine.length ? h('p', { class: 'fb-empty' }, t('nothing_to_fix')) : null, asideList(answer.aside, again),
      button(t('all_findings', { n: answer.findings.length }), () => go(state.project, 'review'), { class: 'fb-link' })]
  },
  async facts(again) {
    const answer = await ask('facts', {}, { quiet: true })
    state.factValues = Object.fromEntries(answer.facts.map((one) => [one.name, one.value]))
    window.Fabai.milk?.relabel()
    return [h('h3', {}, t('tab_facts')), h('p', { class: 'fb-soft' }, t('facts_help')), button(t('add_fact'), async () => { if (await factForm()) again() }, { id: 'fb-add-fact' }), factsTable(answer.facts, again, { insert: true })]
  },
  async questions(again) {
    const answer = await ask('questions', { section: state.section }, { quiet: true })
    const fields = answer.questions.map((one, index) => ({ one, input: h('textarea', { rows: 2, id: `fb-question-${index}` }) }))
    const proof = h('input', { id: 'fb-question-proof' })
    const known = [...answer.facts, ...answer.passages]
    return [h('h3', {}, t('tab_questions')), h('p', { class: 'fb-soft' }, t(known.length ? 'questions_known' : 'questions_none')),
      known.length ? h('ul', { class: 'fb-soft' }, known.map((one) => h('li', {}, one))) : null,
      fields.map(({ one, input }) => h('div', { class: 'fb-field' }, h('label', { for: input.id }, one.text), input)),
      h('div', { class: 'fb-field' }, h('label', { for: proof.id }, t('question_proof')), proof, h('small', {}, t('question_proof_help'))),
      button(t('answers_save'), async () => {
        const answers = fields.filter(({ input }) => input.value.trim()).map(({ one, input }) => ({ name: one.name, value: input.value.trim() }))
        if (!answers.length) return say(t('answers_none'))
        await ask('answer', { section: state.section, answers, proof: proof.value })
        say(t('answers_saved', { n: answers.length }))
        emit('reload')
        again()
      }, { class: 'fb-primary', id: 'fb-answer' })]
  },
  async paragraphs(again) {
    const list = shownParagraphs
    const review = async (hash) => { if (!(await named())) return; const answer = await ask('review', { section: state.section, hash }); shownParagraphs = answer.paragraphs; emit('paragraphs', answer.paragraphs); again() }
    return [h('h3', {}, t('tab_paragraphs')), h('p', { class: 'fb-soft' }, t('paragraphs_help')),
      list.length ? button(t('review_all'), () => review(''), { id: 'fb-review-all' }) : h('p', { class: 'fb-empty' }, t('no_text')),
      h('ol', { class: 'fb-plain' }, list.map((one) => h('li', { class: `fb-item fb-by-${one.reviewed_by ? 'reviewed' : one.origin}` }, h('button', { type: 'button', class: 'fb-link fb-quote', onclick: () => emit('find', { section: state.section, quote: one.text }) }, bare(one.text, 110)),
        h('p', { class: 'fb-state' }, one.reviewed_by ? t('reviewed_by', { who: one.reviewed_by, when: when(one.reviewed) }) : t(`origin_${one.origin}`), one.edited && !one.reviewed_by ? ` · ${t('edited')}` : ''),
        one.reviewed_by ? null : button(t('review'), () => review(one.hash)))))]
  },
  async versions(again) {
    const answer = await ask('versions', { section: state.section }, { quiet: true })
    const by = (one) => (one.writer === 'person' ? one.by || t('a_person') : one.writer === 'import' ? t('imported') : one.writer === 'inherited' ? t('origin_inherited') : one.release ? t('by_release', { name: one.release }) : `${t('ai')} · ${one.model}`)
    return [h('h3', {}, t('tab_versions')), answer.typed_by ? h('p', { class: 'fb-soft' }, t('typed_now', { who: answer.typed_by, when: when(answer.typed) })) : null,
      h('ol', { class: 'fb-plain' }, answer.versions.map((one) => h('li', { class: 'fb-item' },
        h('strong', {}, t('version_n', { n: one.number })), one.label ? h('span', { class: 'fb-label' }, one.label) : null, one.current ? h('span', { class: 'fb-label' }, t('current')) : null,
        h('p', { class: 'fb-soft' }, `${by(one)} · ${when(one.created)} · ${one.words} ${t('unit_words')}${one.partial ? ` · ${t('partial')}` : ''}${one.lock ? ` · ${t('with_lock')}` : ''}`), remark(one.note) ? h('p', { class: 'fb-soft' }, remark(one.note)) : null,
        h('div', { class: 'fb-actions' }, one.current ? null : [button(t('compare'), () => compare(one)), button(t('restore'), async () => { await ask('restore', { section: state.section, version: one.id }); emit('reload'); again() })],
          button(t('label'), async () => { const input = h('input', { value: one.label, 'aria-label': t('label') }); if (await dialog(t('label'), input, [[t('cancel'), null], [t('ok'), true, 'fb-primary']])) { await ask('label', { section: state.section, version: one.id, label: input.value }); again() } })))))]
  },
  async sources() {
    const [answer, { photos }] = await Promise.all([ask('sources', {}, { quiet: true }), ask('annexes', {}, { quiet: true })])
    return [h('h3', {}, t('tab_sources')), answer.sources.length ? null : h('p', { class: 'fb-empty' }, t('no_sources')),
      h('ul', { class: 'fb-plain' }, answer.sources.map((one) => h('li', { class: 'fb-item' }, button(one.name, () => readPlace(one.id, ''), { class: 'fb-link' }), h('p', { class: 'fb-soft' }, `${t(`kind_${one.kind}`)} · ${one.words} ${t('unit_words')}`)))),
      photos.length ? [h('h4', {}, t('photos')), h('div', { class: 'fb-photos' }, photos.map((one) => h('figure', {}, h('img', { src: `picture/${encodeURIComponent(state.project)}/${one.name}`, alt: one.file, loading: 'lazy' }), h('figcaption', {}, button(t('insert'), () => emit('insert', `![${one.file.replace(/\.\w+$/, '')}](${one.name})`), { 'aria-label': `${t('insert')}: ${one.file}` }))))) ] : null,
      button(t('documents'), () => go(state.project, 'documents'), { class: 'fb-link' })]
  },
  async notes(again) {
    const { notes } = await ask('notes', {}, { quiet: true })
    const mine = notes.filter((one) => one.section === state.section)
    const input = h('textarea', { rows: 3, id: 'fb-note', 'aria-label': t('note') })
    return [h('h3', {}, t('tab_notes')), h('p', { class: 'fb-soft' }, t('notes_help')),
      h('ul', { class: 'fb-plain' }, mine.map((one) => h('li', { class: `fb-item${one.done ? ' fb-done' : ''}` }, h('p', {}, one.text), one.quote ? button(`«${bare(one.quote, 80)}»`, () => emit('find', { section: one.section, quote: one.quote }), { class: 'fb-link fb-quote' }) : null,
        h('p', { class: 'fb-soft' }, `${one.author} · ${when(one.created)}`), button(t(one.done ? 'note_reopen' : 'note_done'), async () => { await ask('close-note', { id: one.id, done: !one.done }); again() })))),
      input, button(t('note_add'), async () => { const quote = window.Fabai.milk?.selection()?.text || ''; await ask('add-note', { section: state.section, text: input.value, quote }); again() })]
  },
  async window(again) {
    const answer = await ask('window', { section: state.section }, { quiet: true })
    const one = state.outline.find((each) => each.id === state.section)
    const frame = h('iframe', { class: 'fb-window', sandbox: '', title: t('tab_window') })
    frame.srcdoc = answer.html
    return [h('h3', {}, t('tab_window')), h('p', { class: 'fb-soft' }, t('window_help', { model: answer.model })), answer.notices.map((each) => h('p', { class: 'fb-soft' }, each)),
      h('div', { class: 'fb-actions' }, button(t('window_large'), () => { const large = h('iframe', { class: 'fb-window fb-large', sandbox: '', title: t('tab_window') }); large.srcdoc = answer.html; dialog(t('tab_window'), large, [[t('close'), null, 'fb-primary']], { class: 'fb-dialog fb-wide' }) })),
      frame, h('h4', {}, t('pins')), h('p', { class: 'fb-soft' }, t('pins_help')),
      h('div', { class: 'fb-field' }, h('label', { for: 'fb-pin' }, t('pin_this', { heading: one?.heading || '' })), pinSelect(one, again))]
  },
}

function pinSelect(one, again) {
  const element = h('select', { id: 'fb-pin', onchange: async (event) => { await ask('pin', { section: state.section, state: event.target.value }); if (one) one.pin = event.target.value; again() } },
    [['', t('pin_none')], ['pin', t('pin_always')], ['exclude', t('pin_never')]].map(([key, text]) => h('option', { value: key }, text)))
  element.value = one?.pin || ''
  return element
}

async function compare(one) {
  const { rows } = await ask('compare', { section: state.section, version: one.id })
  await dialog(t('compare'), table(rows, t('version_n', { n: one.number }), t('now_text')), [[t('close'), null, 'fb-primary']], { class: 'fb-dialog fb-wide', id: 'fb-compare' })
}
