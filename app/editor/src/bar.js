// The bar on top: which grant, which screen, language, light or dark, who one is.
import { button, dialog, field, fill, h, select } from './dom.js'
import { go, on, setLanguage, setShown, setTheme, state, t } from './store.js'

const SCREENS = ['documents', 'data', 'writing', 'review', 'annexes', 'submission']

export function bar(root) {
  const draw = () => {
    const dark = document.body.classList.contains('dark')
    fill(root, h('a', { class: 'fb-skip', href: '#fb-main', onclick: (event) => { event.preventDefault(); document.querySelector(`#fb-${state.screen} button, #fb-${state.screen} [tabindex="0"]`)?.focus() } }, t('skip')),
      h('header', { class: 'fb-bar' },
        h('div', { class: 'fb-brand' }, button(t('grants'), () => go('', 'grants'), { class: 'fb-home', 'aria-current': state.project ? null : 'page' }),
          state.frame ? h('span', { class: 'fb-project', title: `${state.frame.title} · ${state.frame.form}` }, state.frame.title || state.project) : null,
          state.frame && state.frame.days !== null ? h('span', { class: `fb-days${state.frame.days < 15 ? ' fb-soon' : ''}` }, state.frame.days < 0 ? t('days_late_short', { n: -state.frame.days }) : t('days_short', { n: state.frame.days })) : null),
        state.project ? h('nav', { 'aria-label': t('screens') }, SCREENS.map((screen) =>
          button(t(screen === 'review' ? 'review_screen' : screen), () => go(state.project, screen), { 'aria-current': state.screen === screen ? 'page' : null }))) : null,
        h('div', { class: 'fb-tools' },
          h('span', { id: 'fb-connection', role: 'status' }),
          select([['es', 'ES'], ['ca', 'CA'], ['en', 'EN']], state.language, setLanguage, { 'aria-label': t('ui_language'), id: 'fb-language' }),
          button(dark ? '☀' : '☾', () => { setTheme(dark ? 'light' : 'dark'); draw() }, { 'aria-label': t(dark ? 'light' : 'dark'), title: t(dark ? 'light' : 'dark'), id: 'fb-theme' }),
          button('?', help, { 'aria-label': t('help'), title: t('help'), id: 'fb-help' }),
          state.locked ? h('form', { method: 'post', action: 'logout' }, h('span', {}, state.shown), h('button', { type: 'submit' }, t('logout')))
            : button(state.shown || t('who_am_i'), who, { id: 'fb-who', title: t('who_help') }))),
      state.notice ? h('p', { class: 'fb-notice', role: 'note' }, t(state.notice)) : null)
  }
  on('place', draw)
  on('language', draw)
  on('who', draw)
  on('project', draw)
  on('frame-changed', draw)
  on('connection', (there) => { const place = document.getElementById('fb-connection'); if (place) place.textContent = there ? '' : t('offline_short') })
  draw()
}

export async function who() {
  const input = h('input', { value: state.shown, maxlength: 80, autocomplete: 'name' })
  const name = await dialog(t('who_am_i'), field(t('your_name'), input, t('who_help')), [[t('cancel'), null], [t('ok'), () => input.value, 'fb-primary']])
  if (name === null) return
  setShown(name.trim())
  document.getElementById('fb-who').textContent = state.shown || t('who_am_i')
}

function help() {
  const keys = ['save', 'next', 'previous', 'draft', 'stop', 'undo']
  dialog(t('help'), [h('p', {}, t('help_lead')), h('dl', { class: 'fb-keys' }, keys.map((one) => [h('dt', {}, h('kbd', {}, t(`key_${one}_keys`))), h('dd', {}, t(`key_${one}`))]))], [[t('close'), null, 'fb-primary']])
}
