// The editor on Markdown: Milkdown's presets, facts and holes as chips, locks, origins, and saving that keeps the source:
// a block that nobody touched is written back letter by letter.
import { Editor, rootCtx, remarkStringifyOptionsCtx, parserCtx, serializerCtx, schemaCtx, remarkCtx, editorViewCtx, editorViewOptionsCtx, commandsCtx } from '@milkdown/kit/core'
import { commonmark, remarkPreserveEmptyLinePlugin, imageSchema, linkSchema, htmlSchema, toggleStrongCommand, toggleEmphasisCommand, wrapInHeadingCommand, turnIntoTextCommand, wrapInBulletListCommand, wrapInOrderedListCommand, wrapInBlockquoteCommand } from '@milkdown/kit/preset/commonmark'
import { gfm, insertTableCommand, addRowAfterCommand, addColAfterCommand, deleteSelectedCellsCommand } from '@milkdown/kit/preset/gfm'
import { history, undoCommand, redoCommand } from '@milkdown/kit/plugin/history'
import { clipboard } from '@milkdown/kit/plugin/clipboard'
import { $node, $view, $remark, $prose, $inputRule } from '@milkdown/kit/utils'
import { Plugin, PluginKey, TextSelection, Selection } from '@milkdown/kit/prose/state'
import { Decoration, DecorationSet } from '@milkdown/kit/prose/view'
import { DOMParser as Reader, Fragment, Slice } from '@milkdown/kit/prose/model'
import { closeHistory } from '@milkdown/kit/prose/history'
import { InputRule } from '@milkdown/kit/prose/inputrules'
import { cited, complete, parts } from './cite.js'
import { fromWord } from './word.js'

// ---- Markdown side: {{fact}}, [falta: …] and [@key] are atoms
const TOKEN = /\{\{\s*([\p{L}\p{N}_.-]+)\s*\}\}|\[falta:\s*([^\[\]]*)\]|\[(?!\^)([^\[\]\n]*@[^\[\]\n]*)\](?![([])/gu

function parted(node) {
  const out = []
  let last = 0
  for (const match of node.value.matchAll(TOKEN)) {
    if (match[3] !== undefined && !parts(match[3])) continue
    if (match.index > last) out.push({ type: 'text', value: node.value.slice(last, match.index) })
    out.push(match[1] ? { type: 'fact', name: match[1] } : match[3] !== undefined ? { type: 'cite', text: match[3] } : { type: 'hole', text: match[2].trim() })
    last = match.index + match[0].length
  }
  if (!out.length) return null
  if (last < node.value.length) out.push({ type: 'text', value: node.value.slice(last) })
  return out
}
function walk(node) {
  if (!node.children) return
  node.children = node.children.flatMap((child) => {
    // Milkdown 7.22 refuses an image whose title is null
    if (child.type === 'image') { child.title ??= ''; child.alt ??= '' }
    if (child.type === 'text') return parted(child) || [child]
    walk(child)
    return [child]
  })
}
const tokens = $remark('grantTokens', () => () => walk)
const HANDLERS = { fact: (node) => `{{${node.name}}}`, hole: (node) => `[falta: ${node.text}]`, cite: (node) => `[${node.text}]` }

const atom = (name, key) => $node(name, () => ({
  group: 'inline', inline: true, atom: true, attrs: { [key]: { default: '' } },
  toDOM: (node) => ['span', { class: `fb-${name}`, [`data-${name}`]: node.attrs[key] }, node.attrs[key]],
  parseDOM: [{ tag: `span[data-${name}]`, getAttrs: (dom) => ({ [key]: dom.getAttribute(`data-${name}`) }) }],
  parseMarkdown: { match: (node) => node.type === name, runner: (to, node, type) => { to.addNode(type, { [key]: node[key] }) } },
  toMarkdown: { match: (node) => node.type.name === name, runner: (to, node) => { to.addNode(name, undefined, undefined, { [key]: node.attrs[key] }) } },
}))
const factNode = atom('fact', 'name')
const holeNode = atom('hole', 'text')
const citeNode = atom('cite', 'text')
const rule = (pattern, node, attrs) => $inputRule((ctx) => new InputRule(pattern, (st, match, from, to) => st.tr.replaceWith(from, to, node.type(ctx).create(attrs(match)))))

const KEY = new PluginKey('grant')

function label(dom) {
  dom.textContent = cited(dom.dataset.cite)
  dom.className = complete(dom.dataset.cite) ? 'fb-cite' : 'fb-cite fb-hole'
}

export class Milk {
  constructor(options) {
    this.options = options
    this.readonly = !!options.readonly
    this.sources = new WeakMap()
    this.head = ''
    this.tail = '\n'
    this.last = ''
    this.locked = new Set()
    this.states = []
    this.marks = []
  }

  async mount(root) {
    const milk = this
    const { options } = this
    const factView = $view(factNode, () => (node) => {
      const dom = document.createElement('span')
      dom.className = 'fb-fact'
      dom.dataset.fact = node.attrs.name
      milk.value(dom)
      dom.title = node.attrs.name
      return { dom }
    })
    const holeView = $view(holeNode, () => (node) => {
      const dom = document.createElement('span')
      dom.className = 'fb-hole'
      dom.dataset.hole = node.attrs.text
      dom.textContent = (options.holeText || '{what}').replace('{what}', node.attrs.text)
      dom.addEventListener('click', () => options.onHole?.(node.attrs.text))
      return { dom }
    })
    const citeView = $view(citeNode, () => (node, view, place) => {
      const dom = document.createElement('span')
      dom.dataset.cite = node.attrs.text
      label(dom)
      dom.addEventListener('click', () => options.onCite?.(node.attrs.text, (text) => milk.recite(place(), text)))
      return { dom }
    })
    const imageView = $view(imageSchema.node, () => (node) => {
      const dom = document.createElement('img')
      const source = node.attrs.src
      // pictures come from the project alone: a remote one is shown by its name
      if (/^media\//.test(source)) dom.src = (options.pictures || '') + source
      else { dom.classList.add('fb-remote'); dom.dataset.source = source }
      dom.alt = node.attrs.alt || source
      return { dom }
    })
    // what a document holds as HTML is shown as the letters it is
    const htmlView = $view(htmlSchema.node, () => (node) => {
      const dom = document.createElement('span')
      dom.className = 'fb-raw'
      dom.textContent = node.attrs.value
      return { dom }
    })
    const link = linkSchema.extendSchema((before) => (ctx) => ({ ...before(ctx), toDOM: (mark) => ['a', { href: /^(https?:|mailto:|#)/i.test(mark.attrs.href) ? mark.attrs.href : '#', rel: 'noopener noreferrer nofollow', target: '_blank', title: mark.attrs.href }] }))
    this.editor = await Editor.make().config((ctx) => {
      ctx.set(rootCtx, root)
      ctx.update(editorViewOptionsCtx, (before) => ({
        ...before,
        attributes: { class: 'fb-doc', lang: options.language || 'es', spellcheck: 'true', role: 'textbox', 'aria-multiline': 'true', 'aria-label': options.label || 'Editor', ...(this.readonly ? { 'aria-readonly': 'true', tabindex: '0' } : {}) },
      }))
      ctx.update(remarkStringifyOptionsCtx, (before) => ({ ...before, bullet: '-', rule: '-', listItemIndent: 'one', emphasis: '*', strong: '*', handlers: { ...before.handlers, ...HANDLERS } }))
    }).use(tokens).use(commonmark.filter((one) => ![remarkPreserveEmptyLinePlugin].flat().includes(one))).use(gfm).use(history)
      // in front of the clipboard's own reading, which would take HTML as it comes
      .use($prose(() => milk.plugin())).use(clipboard)
      .use([link, factNode, holeNode, citeNode, factView, holeView, citeView, imageView, htmlView].flat())
      .use([rule(/\{\{([\p{L}\p{N}_.-]+)\}\}$/u, factNode, (match) => ({ name: match[1] })), rule(/\[falta:\s*([^\[\]]+)\]$/, holeNode, (match) => ({ text: match[1].trim() })), rule(/\[(-?@[\p{L}\p{N}_][^\[\]]*)\]$/u, citeNode, (match) => ({ text: match[1] }))]).create()
    const ctx = this.editor.ctx
    this.view = ctx.get(editorViewCtx)
    this.parse = ctx.get(parserCtx)
    this.serialise = ctx.get(serializerCtx)
    this.schema = ctx.get(schemaCtx)
    this.remark = ctx.get(remarkCtx)
    this.set(options.value || '')
    return this
  }

  plugin() {
    const milk = this
    return new Plugin({
      key: KEY,
      filterTransaction(tr, before) {
        if (!tr.docChanged || tr.getMeta('host') || !milk.locked.size) return true
        const held = new Map()
        before.doc.forEach((node) => { if (milk.isLocked(node)) held.set(node, (held.get(node) || 0) + 1) })
        if (!held.size) return true
        tr.doc.forEach((node) => { for (const one of held.keys()) if (one === node || one.eq(node)) { held.delete(one); break } })
        if (held.size) milk.options.onLocked?.()
        return !held.size
      },
      props: {
        decorations: (st) => milk.decorations(st),
        handleKeyDown: (view, event) => milk.options.onKey?.(event) || false,
        // before ProseMirror reads it, and once more in front of the clipboard plugin's own reading
        transformPastedHTML: (html) => (html.includes('data-pm-slice') ? html : fromWord(html)),
        handlePaste: (view, event) => milk.pasted(view, event.clipboardData),
        handleDrop: (view, event) => milk.files(view, event.dataTransfer?.files),
        editable: () => !milk.readonly,
      },
      view: () => ({
        update: (view, before) => {
          if (!view.state.doc.eq(before.doc)) milk.changed()
          if (!view.state.selection.eq(before.selection)) milk.options.onSelect?.()
        },
      }),
    })
  }

  decorations(st) {
    const found = []
    let place = 0
    st.doc.forEach((node, offset) => {
      const source = this.sources.get(node)?.text.trim()
      const classes = []
      if (source !== undefined && this.locked.has(source)) classes.push('fb-locked')
      const known = source !== undefined ? this.states.find((one) => one.text.trim() === source) : null
      if (known) classes.push(`fb-by-${known.reviewed_by ? 'reviewed' : known.origin}`)
      if (classes.length) {
        const title = known && this.options.stateText ? this.options.stateText(known) : ''
        found.push(Decoration.node(offset, offset + node.nodeSize, { class: classes.join(' '), ...(title ? { title } : {}) }))
      }
      place += 1
    })
    for (const mark of this.marks) if (mark.to <= st.doc.content.size) found.push(Decoration.inline(mark.from, mark.to, { class: mark.class }))
    return DecorationSet.create(st.doc, found)
  }

  isLocked(node) { const source = this.sources.get(node); return source !== undefined && this.locked.has(source.text.trim()) }
  setLocked(texts) { this.locked = new Set(texts.map((one) => one.trim())); this.redraw() }
  setStates(states) { this.states = states; this.redraw() }
  redraw() { if (this.view) this.view.dispatch(this.view.state.tr.setMeta('host', true).setMeta('addToHistory', false)) }
  setReadonly(readonly) { this.readonly = readonly; this.view.setProps({}) }
  command(key, value) { this.editor.ctx.get(commandsCtx).call(key.key, value); this.view.focus() }

  // ---- text in and out
  set(markdown, { step = false } = {}) {
    const doc = this.parse(markdown)
    this.quiet = !step
    const tr = this.view.state.tr.replaceWith(0, this.view.state.doc.content.size, doc.content).setMeta('addToHistory', step).setMeta('host', true)
    if (step) closeHistory(tr)
    this.marks = []
    this.view.dispatch(tr)
    this.quiet = false
    this.remember(markdown)
    if (step) { this.last = null; this.flush() } else this.last = this.get()
  }
  /** Each block of the document remembers its own letters, and those up to the next one. */
  remember(markdown) {
    const doc = this.view.state.doc
    const children = this.remark.runSync(this.remark.parse(markdown), markdown).children
    this.sources = new WeakMap()
    this.head = ''
    this.tail = '\n'
    if (!children.length || children.length !== doc.childCount || !children.every((one) => one.position)) return
    this.tail = ''
    children.forEach((child, index) => {
      const start = child.position.start.offset
      const end = child.position.end.offset
      const following = children[index + 1]
      this.sources.set(doc.child(index), { text: markdown.slice(start, end), next: following ? doc.child(index + 1) : null, gap: following ? markdown.slice(end, following.position.start.offset) : null })
      if (!index) this.head = markdown.slice(0, start)
      if (!following) this.tail = markdown.slice(end)
    })
    this.redraw()
  }
  block(node) {
    const known = this.sources.get(node)
    if (known) return known.text
    const text = this.serialise(this.schema.topNodeType.create(null, [node])).replace(/\n+$/, '')
    this.sources.set(node, { text, next: undefined, gap: null })
    return text
  }
  get() {
    let out = ''
    let before = null
    this.view.state.doc.forEach((node) => {
      const text = this.block(node)
      if (!text && node.type.name === 'paragraph') return
      if (before) { const known = this.sources.get(before); out += known.next === node && known.gap !== null ? known.gap : '\n\n' } else out = this.head
      out += text
      before = node
    })
    return before ? out + this.tail : ''
  }
  /** The text while a model writes it: only what is new at the end is drawn anew. */
  grow(markdown) {
    const { state } = this.view
    const doc = this.parse(markdown)
    let same = 0
    let offset = 0
    const old = state.doc.content
    while (same < old.childCount && same < doc.childCount && old.child(same).eq(doc.child(same))) { offset += old.child(same).nodeSize; same += 1 }
    const rest = []
    for (let index = same; index < doc.childCount; index += 1) rest.push(doc.child(index))
    if (offset === old.size && !rest.length) return
    this.quiet = true
    this.view.dispatch(state.tr.replaceWith(offset, old.size, Fragment.from(rest)).setMeta('host', true).setMeta('addToHistory', false))
    this.quiet = false
  }
  changed() {
    if (this.quiet || this.readonly) return
    this.marks = []
    this.options.onTyping?.()
    clearTimeout(this.timer)
    this.timer = setTimeout(() => this.flush(), this.options.debounce ?? 400)
  }
  flush() {
    clearTimeout(this.timer)
    this.timer = 0
    const text = this.get()
    if (text !== this.last) { this.last = text; this.options.onChange?.(text) }
  }
  get dirty() { return !!this.timer }

  // ---- selection
  selection() {
    const { from, to, empty } = this.view.state.selection
    if (empty) return null
    const { doc } = this.view.state
    const content = doc.slice(from, to).content
    const plain = doc.textBetween(from, to, '\n\n')
    const single = content.childCount === 1 && content.firstChild.isTextblock
    const whole = single || content.firstChild.isInline
    let markdown = plain
    const node = content.firstChild.isInline ? this.schema.nodes.paragraph.create(null, content) : content
    markdown = this.serialise(this.schema.topNodeType.create(null, node)).trim()
    return { from, to, text: plain, markdown, whole }
  }
  /** What a model made of a selection takes its place, as one step to undo. */
  replace({ from, to }, markdown) {
    const doc = this.parse(markdown)
    const { state } = this.view
    const tr = closeHistory(state.tr)
    const start = state.doc.resolve(from)
    const end = state.doc.resolve(to)
    if (doc.childCount === 1 && doc.firstChild.isTextblock && start.sameParent(end)) tr.replaceWith(from, to, doc.firstChild.content)
    else tr.replaceRange(from, to, new Slice(doc.content, 1, 1))
    this.view.dispatch(tr)
    this.flush()
  }
  /** The block in which the cursor stands. */
  here() {
    const { $from } = this.view.state.selection
    const node = $from.depth ? $from.node(1) : this.view.state.doc.childCount ? this.view.state.doc.child(Math.min($from.index(0), this.view.state.doc.childCount - 1)) : null
    return node ? this.block(node) : ''
  }
  /** Show a sentence: it is marked and scrolled to. False where the text does not have it. */
  find(quote, kind = 'fb-found') {
    const wanted = quote.replace(/[*_`#|]/g, '').replace(/\s+/g, ' ').trim()
    if (!wanted) return false
    let text = ''
    const places = []
    this.view.state.doc.descendants((node, position) => {
      if (node.isText) for (let index = 0; index < node.text.length; index += 1) { const letter = /\s/.test(node.text[index]) ? ' ' : node.text[index]; if (letter === ' ' && text.endsWith(' ')) continue; text += letter; places.push(position + index) }
      else if (node.isBlock && text && !text.endsWith(' ')) { text += ' '; places.push(position) }
      return true
    })
    let at = text.indexOf(wanted)
    for (let size = wanted.length; at < 0 && size > 12; size = Math.floor(size * 0.6)) at = text.indexOf(wanted.slice(0, size))
    if (at < 0) return false
    const from = places[at]
    const to = places[Math.min(at + wanted.length, places.length) - 1] + 1
    this.marks = [{ from, to, class: kind }]
    const tr = this.view.state.tr.setMeta('host', true).setMeta('addToHistory', false)
    this.view.dispatch(tr.setSelection(TextSelection.between(tr.doc.resolve(from), tr.doc.resolve(to))))
    this.view.dom.querySelector(`.${kind}`)?.scrollIntoView({ block: 'center' })
    return true
  }
  focus() { this.view.focus() }
  toEnd() { this.view.dispatch(this.view.state.tr.setSelection(Selection.atEnd(this.view.state.doc))); this.view.focus() }

  // ---- pictures and paste
  pasted(view, data) {
    if (!data) return false
    // Word puts a picture of the text beside the text: the text is what is wanted
    const html = data.getData('text/html')
    if (!html.replace(/<[^>]*>/g, '').trim()) return this.files(view, data.files)
    if (html.includes('data-pm-slice') || this.readonly) return false
    const body = new DOMParser().parseFromString(fromWord(html), 'text/html').body
    view.dispatch(view.state.tr.replaceSelection(Reader.fromSchema(this.schema).parseSlice(body)).scrollIntoView())
    return true
  }
  files(view, files) {
    const pictures = [...(files || [])].filter((one) => one.type.startsWith('image/'))
    if (!pictures.length || !this.options.upload || this.readonly) return false
    for (const file of pictures) {
      this.options.upload(file).then((source) => view.dispatch(view.state.tr.replaceSelectionWith(this.schema.nodes.image.create({ src: source, alt: file.name.replace(/\.\w+$/, '') }))), () => {})
    }
    return true
  }
  footnote(text) {
    const { state } = this.view
    const { nodes } = this.schema
    let most = 0
    state.doc.descendants((node) => { if (node.type.name.startsWith('footnote')) most = Math.max(most, parseInt(node.attrs.label, 10) || 0) })
    const label = String(most + 1)
    const tr = state.tr.replaceSelectionWith(nodes.footnote_reference.create({ label }))
    tr.insert(tr.doc.content.size, nodes.footnote_definition.create({ label }, nodes.paragraph.create(null, this.schema.text(text))))
    this.view.dispatch(tr)
    this.view.focus()
  }
  /** The inside of the citation that is selected, with what puts another in its place; null where none is. */
  citation() {
    const { node, from } = this.view.state.selection
    return node?.type.name === 'cite' ? { text: node.attrs.text, put: (text) => this.recite(from, text) } : null
  }
  recite(place, text) {
    const { tr } = this.view.state
    this.view.dispatch(text ? tr.setNodeMarkup(place, null, { text }) : tr.delete(place, place + 1))
    this.focus()
  }
  /** References or facts came or changed: their chips are named anew. */
  relabel() {
    if (!this.view) return
    this.view.dom.querySelectorAll('[data-cite]').forEach(label)
    this.view.dom.querySelectorAll('[data-fact]').forEach((dom) => this.value(dom))
  }
  value(dom) { dom.textContent = this.options.facts?.()[dom.dataset.fact] ?? dom.dataset.fact }
  insert(markdown) {
    const doc = this.parse(markdown)
    const content = doc.childCount === 1 && doc.firstChild.isTextblock ? doc.firstChild.content : doc.content
    this.view.dispatch(this.view.state.tr.replaceWith(this.view.state.selection.from, this.view.state.selection.to, content))
    this.view.focus()
  }
  destroy() { clearTimeout(this.timer); return this.editor.destroy() }
}

export const COMMANDS = {
  bold: (milk) => milk.command(toggleStrongCommand), italic: (milk) => milk.command(toggleEmphasisCommand),
  heading: (milk) => milk.command(wrapInHeadingCommand, 3), paragraph: (milk) => milk.command(turnIntoTextCommand),
  bullets: (milk) => milk.command(wrapInBulletListCommand), numbers: (milk) => milk.command(wrapInOrderedListCommand),
  quote: (milk) => milk.command(wrapInBlockquoteCommand), table: (milk) => milk.command(insertTableCommand, { row: 3, col: 3 }),
  row: (milk) => milk.command(addRowAfterCommand), column: (milk) => milk.command(addColAfterCommand), remove: (milk) => milk.command(deleteSelectedCellsCommand),
  undo: (milk) => milk.command(undoCommand), redo: (milk) => milk.command(redoCommand),
}
