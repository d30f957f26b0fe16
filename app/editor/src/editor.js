// The middle of the writing screen: one section's text, what a model writes for it, saving without losing anything.
import { button, dialog, fill, h, say, select } from './dom.js'
import { COMMANDS, Milk } from './milk.js'
import { choose } from './choice.js'
import { chooseCitation, loadChips } from './cite.js'
import { ask, beforeLeaving, counted, emit, fault, go, live, measured, n, on, page, refreshOutline, remark, remember, state, t, upload } from './store.js'

function padlock() {
  const make = (name, attrs) => { const one = document.createElementNS('http://www.w3.org/2000/svg', name); for (const [key, value] of Object.entries(attrs)) one.setAttribute(key, value); return one }
  const icon = make('svg', { viewBox: '0 0 24 24', class: 'fb-icon', 'aria-hidden': 'true' })
  icon.append(make('rect', { x: 4, y: 11, width: 16, height: 10, rx: 2 }), make('path', { d: 'M8 11V7a4 4 0 0 1 8 0v4' }))
  return icon
}

// who shares a browser with others is not shown their words
const kept = (section) => `fabai:typed:${state.user}:${state.project}:${section}`
const PAUSE = 2000 // ms before a saving is tried again; longer each time

export function editor(root) {
  const head = h('div', { class: 'fb-editor-head' })
  const guidance = h('details', { class: 'fb-guidance' })
  const bar = h('div', { class: 'fb-toolbar', role: 'toolbar' })
  const wishes = h('div', { class: 'fb-wishes' })
  const card = h('section', { class: 'fb-proposal', hidden: true })
  const body = h('div', { class: 'fb-text' })
  const foot = h('div', { class: 'fb-editor-foot' })
  const saved = h('span', { id: 'fb-saved', role: 'status' })
  const counts = h('span', { id: 'fb-counts' })
  fill(root, h('section', { class: 'fb-editor-pane', id: 'fb-main' }, head, guidance, bar, wishes, card, body, foot))
  fill(foot, counts, saved)

  let milk = null
  let preview = null
  let shown = null // what the server last said of the section; project, key: of the text that is typed over it; take: {version}, the next saving keeps what a model wrote
  let loading = 0
  let saving = null
  const waiting = new Map() // what was typed and has not arrived, by what it was typed over: a person may be elsewhere by then
  let again = 0
  let pause = PAUSE
  let asked = null // the selection that a model was asked about
  let dismissed = new Set(JSON.parse(sessionStorage.getItem('fabai:dismissed') || '[]'))

  // ---- saving
  const mark = (key, kind = '') => { saved.textContent = key ? t(key) : ''; saved.className = kind }
  const typed = (text) => {
    if (!shown) return
    shown.stored = remember(shown.key, JSON.stringify({ text, token: shown.token, take: shown.take }))
    waiting.set(shown, text)
    push()
  }
  const send = (at, text, keepalive = false) => {
    const take = at.take
    at.take = null
    return ask(take ? 'take' : 'save', { project: at.project, section: at.section, text, token: at.token, ...take }, { quiet: true, keepalive })
  }
  const push = () => {
    if (saving || !waiting.size) return saving
    clearTimeout(again)
    const at = waiting.has(shown) ? shown : waiting.keys().next().value
    const text = waiting.get(at)
    waiting.delete(at)
    if (at === shown) mark('saving')
    const take = at.take
    saving = send(at, text).then(async (answer) => {
      saving = null
      pause = PAUSE
      // whoever has left finds both texts when they come back
      if (answer.clash) { if (shown === at) await clash(answer, text, at); return }
      if (!waiting.has(at)) localStorage.removeItem(at.key)
      at.token = answer.token
      at.text = text
      at.changed = answer.changed
      const status = at.status
      at.status = answer.status
      if (shown === at && (status !== at.status || !text.trim() !== !!wishes.querySelector('#fb-shorten')?.disabled)) drawHead()
      if (shown === at) { showCounts(answer.counts); mark(waiting.has(at) ? 'saving' : 'saved') }
      scheduleOutline()
      if (waiting.size) return push()
      if (shown === at) states()
    }, (error) => {
      saving = null
      if (!waiting.has(at)) waiting.set(at, text)
      at.take ||= take
      if (shown === at) mark('not_saved', 'fb-fault')
      say(shown === at ? error.message : `${at.heading}: ${error.message}`, 'error')
      clearTimeout(again)
      again = setTimeout(push, pause)
      pause = Math.min(2 * pause, 8_000)
    })
    return saving
  }
  const flush = async () => { milk?.flush(); while (saving || waiting.has(shown)) { await (saving || push()); if (saved.className === 'fb-fault') break } }
  let outlineTimer = 0
  const scheduleOutline = () => { clearTimeout(outlineTimer); outlineTimer = setTimeout(refreshOutline, 600) }
  beforeLeaving(async () => { if (shown) { await flush(); if (shown.changed) ask('settle', { section: shown.section }, { quiet: true }).catch(() => {}) } })
  window.addEventListener('pagehide', () => {
    milk?.flush()
    for (const [at, text] of waiting) send(at, text, true).catch(() => {})
  })
  // the browser asks whether one means it
  window.addEventListener('beforeunload', (event) => { if ([...waiting.keys()].some((at) => !at.stored)) event.preventDefault() })
  document.addEventListener('visibilitychange', () => { if (document.hidden) milk?.flush() })

  const clash = async (answer, mine, at) => {
    const there = { project: at.project, section: at.section }
    const choice = await dialog(t('clash_title'), [h('p', {}, t('clash_lead', { who: answer.author || t('somebody') })),
      h('div', { class: 'fb-both' }, h('div', {}, h('h3', {}, t('clash_mine')), h('pre', { tabindex: 0 }, mine)), h('div', {}, h('h3', {}, t('clash_theirs')), h('pre', { tabindex: 0 }, answer.text)))],
    [[t('clash_take_theirs'), 'theirs'], [t('clash_both'), 'both'], [t('clash_keep_mine'), 'mine', 'fb-primary']], { id: 'fb-clash' })
    await ask('settle', there)
    // whatever is chosen, the other text is among the versions
    if (choice === 'theirs' || choice === null) await ask('keep', { ...there, text: mine })
    at.token = answer.token
    if (choice === 'mine') { waiting.set(at, mine); return push() }
    const text = choice === 'both' ? `${answer.text.trimEnd()}\n\n${mine}` : answer.text
    if (shown === at) milk.set(text)
    localStorage.removeItem(at.key)
    if (choice === 'both') { waiting.set(at, text); return push() }
    return shown === at ? load() : null
  }

  const unsaved = () => {
    for (const [at, text] of waiting) if (at !== shown && at.key === shown.key) { waiting.delete(at); return { text, token: at.token, take: at.take } }
    return JSON.parse(localStorage.getItem(shown.key) || 'null')
  }

  // ---- a section comes
  const load = async ({ quietly = false } = {}) => {
    if (state.screen !== 'writing' || !state.section) return
    const section = state.section
    const turn = ++loading
    const before = milk && shown?.section === section ? milk.get() : null
    const answer = await ask('section', { section }).catch(() => null)
    if (!answer || turn !== loading) return
    const same = shown?.section === section
    // who types meanwhile goes on: what they save meets what came
    if (same && before !== null && (milk.dirty || waiting.has(shown) || saving || milk.get() !== before)) return
    shown = { ...answer, project: state.project, key: kept(section), stored: true }
    if (!milk) await mount()
    if (!same || milk.get() !== answer.text) milk.set(answer.text)
    milk.setLocked(answer.locked)
    if (!same) { milk.setStates([]); milk.setReadonly(false); body.scrollTop = 0 }
    drawHead()
    showCounts(answer.counts)
    mark('')
    const typedBefore = unsaved()
    if (typedBefore && typedBefore.text !== answer.text) {
      // typed here and never arrived: it goes on from where it was
      shown.token = typedBefore.token
      shown.take = typedBefore.take
      milk.set(typedBefore.text)
      waiting.set(shown, typedBefore.text)
      push()
    }
    drawJob()
    if (!quietly) emit('section-open', section)
    states()
  }
  const states = async () => {
    if (!shown) return
    const section = shown.section
    const { paragraphs } = await ask('paragraphs', { section }, { quiet: true }).catch(() => ({ paragraphs: [] }))
    if (shown?.section !== section) return
    milk?.setStates(paragraphs)
    emit('paragraphs', paragraphs)
  }
  const mount = async () => {
    fill(body)
    milk = new Milk({
      value: '', label: t('editor_label'), language: state.frame?.language, pictures: `picture/${encodeURIComponent(state.project)}/`, holeText: t('hole'),
      facts: () => state.factValues || {}, debounce: 400,
      onTyping: () => mark('typing'), onChange: typed, onSelect: selected,
      onLocked: () => say(t('locked_said')), onHole: () => document.getElementById('fb-tab-questions')?.click(), onCite: cite,
      onKey: (event) => keys(event),
      upload: async (file) => (await upload(file, { kind: 'picture' })).name,
    })
    await milk.mount(body)
    window.Fabai.milk = milk
    drawBar()
  }
  const remount = async () => {
    await flush()
    if (milk) { milk.destroy(); milk = null }
    shown = null
    fill(body)
    await load()
  }
  const drawHead = () => {
    const accepted = shown.status === 'accepted'
    fill(head, h('h2', {}, h('span', { class: 'fb-number' }, shown.number), ' ', shown.heading || t('front')),
      h('span', { class: `fb-status fb-${shown.status}` }, t(`status_${shown.status}`)),
      button(accepted ? t('reopen') : t('accept'), async () => { await flush(); const answer = await ask('accept', { section: shown.section, accepted: !accepted }); Object.assign(shown, answer); drawHead(); refreshOutline() }, { id: 'fb-accept', title: t('accept_help') }),
      button('↑', () => step(-1), { 'aria-label': t('key_previous'), title: t('key_previous') }), button('↓', () => step(1), { 'aria-label': t('key_next'), title: t('key_next') }))
    guidance.hidden = !shown.guidance && !shown.criteria
    fill(guidance, h('summary', {}, t('guidance')), shown.guidance ? h('p', {}, shown.guidance) : null, shown.criteria ? h('p', {}, h('strong', {}, t('criteria')), ' ', shown.criteria) : null, shown.source ? h('p', { class: 'fb-soft' }, shown.source) : null)
    drawWishes()
  }
  const showCounts = (list) => {
    fill(counts, list.map((one) => h('span', { class: `fb-count${one.maximum !== null && one.count > one.maximum ? ' fb-over' : ''}`, title: counted(one) || null },
      one.maximum !== null && one.count > one.maximum ? t('over_by', { n: n(one.count - one.maximum), unit: t(`unit_${one.unit}`) }) + ' · ' : '',
      `${measured(one)} ${t(`unit_${one.unit}`)}${one.minimum ? ` (${t('at_least', { n: n(one.minimum) })})` : ''}`)))
  }
  const step = (by) => {
    const place = state.outline.findIndex((one) => one.id === state.section) + by
    if (state.outline[place]) go(state.project, 'writing', state.outline[place].id)
  }

  // ---- tools
  const drawBar = () => {
    bar.setAttribute('aria-label', t('toolbar'))
    const tools = [['bold', 'B'], ['italic', 'I'], ['heading', 'H'], ['paragraph', '¶'], ['bullets', '•'], ['numbers', '①'], ['quote', '❝'], ['table', '▦'], ['row', '▤+'], ['column', '▥+'], ['undo', '↶'], ['redo', '↷']]
    fill(bar, tools.map(([name, sign]) => button(sign, () => COMMANDS[name](milk), { title: t(`tool_${name}`), 'aria-label': t(`tool_${name}`), onmousedown: (event) => event.preventDefault() })),
      button('†', () => milk.footnote(t('note_text')), { title: t('tool_footnote'), 'aria-label': t('tool_footnote') }),
      button(t('cite_short'), () => { const there = milk.citation(); cite(there?.text || '', there ? there.put : (text) => { if (text) milk.insert(`[${text}]`) }) }, { title: t('tool_cite'), id: 'fb-cite-tool', onmousedown: (event) => event.preventDefault() }),
      button(padlock(), lock, { title: t('tool_lock'), 'aria-label': t('tool_lock'), id: 'fb-lock' }))
  }
  const lock = async () => {
    await flush()
    const paragraph = milk.here().trim()
    if (!paragraph) return say(t('lock_nothing'))
    const locked = milk.locked.has(paragraph)
    const answer = await ask('lock', { section: shown.section, paragraph, locked: !locked })
    milk.setLocked(answer.locked)
    say(t(locked ? 'unlocked_said' : 'locked_now'))
  }
  const cite = async (before, put) => { const text = await chooseCitation(before); if (text !== null) put(text) }
  const selected = () => { wishes.classList.toggle('fb-has-selection', !!milk?.selection()) }
  const drawWishes = () => {
    const empty = !shown.text.trim()
    const busy = job() && live(job())
    fill(wishes, busy ? button(`${t('stop')} (Esc)`, stop, { class: 'fb-stop', id: 'fb-stop' }) : [
      button(empty ? t('draft') : t('variant'), draft, { class: 'fb-primary', id: 'fb-draft', title: t(empty ? 'draft_help' : 'variant_help') }),
      button(t('proceed'), () => wish('proceed'), { id: 'fb-proceed', title: t('proceed_help'), disabled: empty }),
      button(t('shorten'), () => wish('shorten'), { id: 'fb-shorten', title: t('shorten_help'), disabled: empty }),
      button(t('expand'), () => wish('expand'), { id: 'fb-expand', title: t('expand_help'), disabled: empty }),
      button(t('rewrite'), () => wish('rewrite'), { id: 'fb-rewrite', title: t('rewrite_help'), disabled: empty }), figuresOnly()])
  }
  const figuresOnly = () => {
    const { on: chosen, figures, able } = shown.figures_only
    const said = able === false ? 'lock_unable' : chosen ? (figures ? 'figures_only_on' : 'figures_only_none') : ''
    const box = h('input', { type: 'checkbox', id: 'fb-figures-only', checked: chosen, disabled: able === false && !chosen, 'aria-describedby': 'fb-figures-only-help', onchange: async (event) => {
      const section = shown.section
      const answer = await ask('figures-only', { section, on: event.target.checked }).catch(() => shown.figures_only)
      if (shown?.section !== section) return
      shown.figures_only = answer
      drawWishes()
      document.getElementById('fb-figures-only')?.focus()
    } })
    return h('div', { class: 'fb-figures-only' }, h('span', { title: t('figures_only_help') }, box, ' ', h('label', { for: box.id }, t('figures_only'))),
      h('small', { id: 'fb-figures-only-help', class: said ? 'fb-soft' : 'fb-hidden' }, t(said || 'figures_only_help', { n: figures })))
  }
  const draft = async () => { await flush(); started(await ask('draft', { section: shown.section })) }
  const started = ({ job: one }) => { const known = state.jobs.get(one.id); if (!known) state.jobs.set(one.id, one); drawJob(); drawWishes() }
  const stop = () => { const one = job(); if (one && live(one)) ask('stop', { job: one.id }) }
  const wish = async (kind) => {
    await flush()
    const chosen = kind === 'proceed' ? null : milk.selection()
    let instruction = ''
    if (kind === 'rewrite') {
      const input = h('textarea', { rows: 3, id: 'fb-instruction', 'aria-label': t('rewrite_how') })
      const done = await dialog(t('rewrite'), [h('p', {}, t(chosen ? 'rewrite_selection' : 'rewrite_whole')), input, h('small', {}, t('rewrite_how'))], [[t('cancel'), null], [t('rewrite'), true, 'fb-primary']])
      if (!done) return
      instruction = input.value
    }
    asked = chosen
    started(await ask('rewrite', { section: shown.section, wish: kind, text: chosen ? chosen.markdown : milk.get(), selection: !!chosen, instruction }))
  }

  // ---- what a model writes
  const job = () => [...state.jobs.values()].filter((one) => one.section === shown?.section && !dismissed.has(one.id)).pop()
  let previewOf = null
  const drawJob = async () => {
    const one = shown && job()
    const showing = one && (live(one) || one.error || one.version !== null || one.text)
    const landed = one && !live(one) && one.into && !one.error
    if (!showing || landed) {
      card.hidden = true
      previewOf = null
      if (landed) { dismiss(one.id); if (milk && !milk.dirty) load({ quietly: true }) }
      body.hidden = false
      return
    }
    card.hidden = false
    body.hidden = one.into && live(one)
    if (previewOf !== one.id) {
      previewOf = one.id
      const place = h('div', { class: 'fb-preview' })
      const title = h('h3', { class: 'fb-proposal-title' })
      const tools = h('div', { class: 'fb-actions' })
      fill(card, title, h('p', { class: 'fb-soft fb-job-note', role: 'status' }), place, tools)
      card.setAttribute('aria-label', t('proposal'))
      if (preview) preview.destroy()
      preview = new Milk({ value: '', readonly: true, label: t('proposal'), language: state.frame?.language, pictures: `picture/${encodeURIComponent(state.project)}/`, holeText: t('hole') })
      const mine = preview
      await mine.mount(place)
      if (previewOf !== one.id) return
    }
    update(one)
  }
  const update = (one) => {
    if (previewOf !== one.id || !preview?.view) return
    preview.grow(one.text)
    const [title, note, , tools] = card.children
    title.textContent = t(`job_${one.kind}`)
    note.textContent = (one.error && fault(one.fault, one.error[state.language])) || (one.state === 'waiting' ? (one.ahead ? t('job_ahead', { n: one.ahead }) : t('job_waiting')) : one.state === 'writing' ? t('job_writing') : one.state === 'stopped' ? t('job_stopped') : remark(one.note) || t('job_done'))
    note.classList.toggle('fb-fault', !!one.error)
    if (live(one)) { fill(tools); card.scrollTop = card.scrollHeight; return }
    fill(tools, one.text.trim() && !one.error ? [button(t('take'), () => take(one), { class: 'fb-primary', id: 'fb-take' }), one.selection ? null : button(t('take_parts'), () => takeParts(one), { id: 'fb-take-parts' })] : null,
      button(t('dismiss'), () => { dismiss(one.id); drawJob(); drawWishes() }, { id: 'fb-dismiss' }))
  }
  const dismiss = (id) => { dismissed.add(id); dismissed = new Set([...dismissed].slice(-200)); sessionStorage.setItem('fabai:dismissed', JSON.stringify([...dismissed])) }
  const take = async (one) => {
    await flush()
    if (one.version !== null) shown.take = { version: one.version }
    if (one.selection) {
      if (asked && milk.view.state.doc.textBetween(asked.from, Math.min(asked.to, milk.view.state.doc.content.size), '\n\n') === asked.text) milk.replace(asked, one.text)
      else if (milk.get().includes(one.selection)) milk.set(milk.get().replace(one.selection, () => one.text), { step: true })
      else { shown.take = null; return say(t('selection_gone'), 'error') }
    } else milk.set(one.text, { step: true })
    asked = null
    done(one)
  }
  const takeParts = async (one) => {
    await flush()
    const text = await choose(milk.get(), one.text, shown.section)
    if (text === null) return
    if (one.version !== null) shown.take = { version: one.version }
    milk.set(text, { step: true })
    done(one)
  }
  const done = (one) => { dismiss(one.id); drawJob(); drawWishes(); milk.focus() }

  // ---- keys
  const keys = (event) => {
    const control = event.ctrlKey || event.metaKey
    const act = (work) => { event.preventDefault(); work(); return true }
    if (control && !event.altKey && event.key.toLowerCase() === 's') return act(async () => { await flush(); if (shown) { await ask('settle', { section: shown.section }); shown.changed = ''; mark('saved'); emit('settled') } })
    if (control && event.key === 'Enter') return act(draft)
    if (event.altKey && event.key === 'PageDown') return act(() => step(1))
    if (event.altKey && event.key === 'PageUp') return act(() => step(-1))
    if (event.key === 'Escape' && job() && live(job())) return act(stop)
    return false
  }
  document.addEventListener('keydown', (event) => { if (state.screen === 'writing' && !event.defaultPrevented && !document.querySelector('dialog[open]')) keys(event) })

  on('place', () => { if (state.screen === 'writing') { if (shown?.section !== state.section) load() } else shown = null })
  on('project', async () => { shown = null; if (state.project) chips(); if (milk) { milk.destroy(); milk = null; fill(body) } })
  on('language', () => { if (shown) remount() })
  on('text', (one) => { if (one.section === shown?.section) update(one) })
  on('jobs', (one) => {
    if (!shown) return
    if (one === null || one.section === shown.section) { drawJob(); drawWishes() }
    if (one && one.kind === 'all' && one.section !== shown.section) drawJob()
  })
  on('section', (event) => {
    if (!shown || event.section !== shown.section || event.from === page) return
    if (milk.dirty || waiting.has(shown) || saving) return
    if (event.who && event.token) say(t('changed_by', { who: event.who }))
    load({ quietly: true })
  })
  on('reload', () => load())
  let lost = false
  on('connection', (up) => {
    if (up && lost) { push(); if (state.screen === 'writing' && shown?.section !== state.section) load() }
    lost = !up
  })
  const chips = async () => { await loadChips(); milk?.relabel() }
  on('references', chips)
  on('facts', chips)
  on('find', async ({ section, quote }) => {
    if (section && section !== state.section) { go(state.project, 'writing', section); await new Promise((resolve) => { const off = on('section-open', () => { off(); resolve() }) }) } else if (state.screen !== 'writing') { go(state.project, 'writing', section || state.section); await new Promise((resolve) => { const off = on('section-open', () => { off(); resolve() }) }) }
    if (quote && !milk.find(quote)) say(t('not_found'))
  })
  on('insert', (markdown) => { if (milk) milk.insert(markdown) })
  load()
}
