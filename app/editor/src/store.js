// What the panes share: words, who is here, the place in the address, the server's answers and its stream of events.
import { say } from './dom.js'

export const page = Math.random().toString(36).slice(2)
export const state = { ready: false, words: {}, language: 'es', shown: '', locked: false, user: '', project: '', screen: 'grants', section: '', part: '', spot: null, frame: null, outline: [], jobs: new Map() }

const listeners = new Map()
export function on(kind, listener) {
  if (!listeners.has(kind)) listeners.set(kind, new Set())
  listeners.get(kind).add(listener)
  return () => listeners.get(kind).delete(listener)
}
export function emit(kind, value) { for (const one of [...(listeners.get(kind) || [])]) one(value) }

export function t(key, values = {}) {
  const text = state.words[state.language]?.[key] ?? key
  return text.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? String(values[name]) : whole))
}
const PLACES = { es: 'es-ES', ca: 'ca-ES', en: 'en-GB' }
const figures = {} // by language: making one takes as long as writing some hundred numbers
export const n = (number) => (figures[state.language] ||= new Intl.NumberFormat(PLACES[state.language], { useGrouping: 'always' })).format(number)
export const when = (iso) => (iso ? new Date(iso).toLocaleString(state.language, { dateStyle: 'short', timeStyle: 'short' }) : '')

/** Words as they are read: without the marks of Markdown, holes as the editor shows them; cut at a word where they are many. */
export const bare = (text, most = Infinity) => {
  const shown = String(text).replace(/\[falta:\s*([^\]]*)\]/g, (whole, what) => t('hole', { what })).replace(/\*+|`+|:?-{3,}:?/g, '').replace(/\s*\|\s*/g, ' ').replace(/^#+\s+/, '')
  return shown.length > most ? `${shown.slice(0, Math.max(1, shown.lastIndexOf(' ', most)))}…` : shown
}
/** What a check says, its holes named as in a sentence. */
export const spoken = (text) => bare(text.replace(/\[falta:\s*([^\]]*)\]/g, '«$1»'))
/** A count against its limit, as one reads it; pages that nobody has counted yet are a dash. */
export const measured = (one) => `${one.count === null ? '–' : n(one.count)}${one.maximum !== null ? ` / ${n(one.maximum)}` : ''}`
/** When pages were counted, and whether the text has changed since. */
export const counted = (one) => (one.unit !== 'pages' ? '' : one.when ? t(one.old ? 'pages_counted_old' : 'pages_counted', { when: when(one.when) }) : t('pages_uncounted'))

/** What the server says of a version or a writing, in the page's language. */
export const remark = (one) => (one.key ? t(`said_${one.key}`, { what: one.what }) : one.what)
/** A fault by its kind, then what the server says of it; of a fault of its own it says nothing. */
export const fault = (kind, detail) => { const lead = state.words[state.language]?.[`error_${kind}`]; return !lead ? detail : ['Fault', 'Unexpected'].includes(kind) ? lead : `${lead} ${detail}` }

/** What could not be had; its message is a sentence. */
export class Refused extends Error {}

/** Keep words in this browser; false where it has no room for them. */
export function remember(key, text) { try { localStorage.setItem(key, text); return true } catch { return false } }

// what a place will ask for, on its way before its panes stand; what happens meanwhile makes it old
const ahead = new Map()
const question = (name, args) => `${name} ${args.section || ''}`
function askAhead(name, args) { ahead.set(question(name, args), ask(name, args, { quiet: true }).catch(() => null)) }

/** Ask the server; a refusal is shown and thrown, unless quiet. */
export async function ask(name, args = {}, { quiet = false, keepalive = false } = {}) {
  const early = ahead.get(question(name, args))
  ahead.delete(question(name, args))
  const known = await early
  if (known) return known
  const body = JSON.stringify({ ...args, project: args.project ?? state.project, ui: state.language, who: state.shown, page })
  return answered(`api/${name}`, { method: 'POST', headers: { 'content-type': 'application/json' }, body, keepalive }, quiet)
}
async function answered(address, how, quiet) {
  const response = await fetch(address, how).catch(() => null)
  // what is not ours was said by something between us and the server
  const answer = (await response?.json().catch(() => null)) || { error: response?.status === 413 ? t('too_large', { n: Math.floor(state.upload / 1048576) }) : t('offline') }
  if (response?.ok && !('error' in answer)) return answer
  // back to this place from there
  if (answer.login) location.href = `login${location.hash}`
  const sentence = fault(answer.kind, answer.error)
  if (!quiet && !answer.login) say(sentence, 'error')
  throw new Refused(sentence)
}
export async function upload(file, args) {
  const query = new URLSearchParams({ name: file.name, project: state.project, ui: state.language, who: state.shown, page, ...args })
  return answered(`api/upload?${query}`, { method: 'POST', headers: { 'content-type': 'application/octet-stream' }, body: file }, false)
}

/** The address says where one is: #/project/screen/section, or the part of a screen. */
export function go(project, screen, section = '') {
  const hash = project ? `#/${[project, screen, section].filter(Boolean).map(encodeURIComponent).join('/')}` : '#/'
  if (location.hash === hash) return arrive()
  if (screen === 'writing' && section && project === state.project) askAhead('section', { section })
  location.hash = hash
}
function where() {
  const [project = '', screen = '', section = ''] = location.hash.replace(/^#\/?/, '').split('/').map(decodeURIComponent)
  return { project, screen: project ? screen || 'writing' : 'grants', section }
}
async function arrive() {
  const { project, screen, section } = where()
  if (!(await leaving())) return
  const before = state.project
  if (state.section) for (const key of [...ahead.keys()]) if (key !== question('section', { section })) ahead.delete(key)
  state.screen = screen
  state.section = state.screen === 'writing' ? section : ''
  state.part = state.screen === 'writing' ? '' : section
  if (project !== before) {
    state.project = project
    state.frame = null
    state.outline = []
    state.jobs.clear()
    follow(project)
    if (project) {
      try { [state.frame] = await Promise.all([ask('open'), refreshOutline()]) } catch { return go('', 'grants') }
    }
    emit('project')
  }
  if (state.screen === 'writing' && !state.section && state.outline.length) {
    const last = localStorage.getItem(`fabai:section:${project}`)
    const wanted = state.outline.find((one) => one.id === last) || state.outline.find((one) => one.level > 0) || state.outline[0]
    return go(project, 'writing', wanted.id)
  }
  document.body.dataset.screen = state.screen
  emit('place')
  if (state.section) remember(`fabai:section:${project}`, state.section)
}
const guards = new Set()
/** A pane that must finish something before the place changes. */
export const beforeLeaving = (guard) => guards.add(guard)
async function leaving() { for (const guard of guards) if ((await guard()) === false) return false; return true }

let outlineAsked = null
export function refreshOutline() {
  outlineAsked ||= ask('outline', {}, { quiet: true }).then((answer) => {
    outlineAsked = null
    state.outline = answer.sections
    state.whole = answer.whole
    state.pages = answer.pages
    emit('outline')
  }).catch(() => { outlineAsked = null })
  return outlineAsked
}

let stream = null
function follow(project) {
  stream?.close()
  stream = null
  if (!project) return
  stream = new EventSource(`api/events?project=${encodeURIComponent(project)}`)
  stream.onmessage = (message) => happened(JSON.parse(message.data))
  stream.onerror = () => emit('connection', false)
  stream.onopen = () => emit('connection', true)
}
function happened(event) {
  if (event.type === 'hello') {
    for (const job of event.jobs) state.jobs.set(job.id, job)
    emit('jobs', null)
  } else if (event.type === 'job') {
    state.jobs.set(event.job.id, event.job)
    emit('jobs', event.job)
    if (!live(event.job)) refreshOutline()
  } else if (event.type === 'text') {
    const job = state.jobs.get(event.job)
    if (job) {
      job.section = event.section
      job.text = job.text.slice(0, event.at) + event.text
      emit('text', job)
    }
  } else if (event.from !== page) {
    ahead.clear()
    emit(event.type, event)
  }
}
export const live = (job) => job.state === 'waiting' || job.state === 'writing'

export async function start() {
  // empty: the server's choice, for what is asked before it is known
  state.language = localStorage.getItem('fabai:language') || ''
  const { project, screen, section } = where()
  if (project) {
    askAhead('open', { project })
    askAhead('outline', { project })
    const wanted = section || localStorage.getItem(`fabai:section:${project}`)
    if (screen === 'writing' && wanted) askAhead('section', { project, section: wanted })
  }
  const answer = await (await fetch('api/start')).json()
  Object.assign(state, answer)
  state.language = localStorage.getItem('fabai:language') || answer.language
  state.shown = answer.locked ? answer.shown : localStorage.getItem('fabai:who') || ''
  apply()
  state.ready = true
  window.addEventListener('hashchange', arrive)
  await arrive()
  emit('ready')
}
export function setLanguage(language) {
  state.language = language
  remember('fabai:language', language)
  document.cookie = `fabai_language=${language};path=/;max-age=31536000;samesite=strict`
  apply()
  emit('language')
  emit('outline')
  emit('place')
}
export function setShown(name) { state.shown = name; remember('fabai:who', name) }
function apply() {
  document.documentElement.lang = state.language
  document.title = t('app')
  const theme = localStorage.getItem('fabai:theme') || (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light')
  setTheme(theme)
}
export function setTheme(theme) {
  remember('fabai:theme', theme)
  document.body.classList.toggle('dark', theme === 'dark')
  document.documentElement.dataset.theme = theme
}
