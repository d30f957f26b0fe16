// The bundle: panes by name, mounted by Gradio's components (app/pane.py), started once.
import { annexes } from './annexes.js'
import { bar } from './bar.js'
import { data } from './data.js'
import { documents } from './documents.js'
import { h } from './dom.js'
import { editor } from './editor.js'
import { grants } from './grants.js'
import { outline } from './outline.js'
import { review } from './review.js'
import { side } from './side.js'
import { start, state } from './store.js'
import { submission } from './submission.js'

const PANES = { bar, grants, documents, data, outline, editor, side, review, annexes, submission }
const FIRST = ['outline', 'editor']
const drawn = new Map()

/** A pane is drawn when what it shows is here, or when Gradio has its place, whichever comes first. */
function pane(name) {
  if (!drawn.has(name)) {
    const root = h('div', { class: 'fb-pane', dataset: { mounted: name } })
    drawn.set(name, root)
    PANES[name](root)
  }
  return drawn.get(name)
}

// not while the program is first run: tools that watch the network read all of it again to say who asked
const begun = Promise.resolve().then(start)
window.Fabai = {
  state,
  async mount(name, place) {
    if (place.dataset.mounted) return
    place.dataset.mounted = name
    await begun
    place.replaceWith(pane(name))
  },
}
begun.then(() => { if (state.screen === 'writing') FIRST.forEach(pane) })
