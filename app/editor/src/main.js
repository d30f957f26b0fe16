// The bundle: panes by name, mounted by Gradio's components (app/pane.py), started once.
import { annexes } from './annexes.js'
import { bar } from './bar.js'
import { data } from './data.js'
import { documents } from './documents.js'
import { editor } from './editor.js'
import { grants } from './grants.js'
import { outline } from './outline.js'
import { review } from './review.js'
import { side } from './side.js'
import { start, state } from './store.js'
import { submission } from './submission.js'

const PANES = { bar, grants, documents, data, outline, editor, side, review, annexes, submission }
let begun = null

window.Fabai = {
  state,
  async mount(name, root) {
    if (root.dataset.mounted) return
    root.dataset.mounted = name
    begun ||= start()
    await begun
    PANES[name](root)
  },
}
