// What Word, LibreOffice and browsers put on the clipboard, made plain before the editor reads it: structure stays
// (headings, lists, tables, bold), looks and Office's own marks go. Nothing in it is run: the parser makes an inert
// document.

const LIST = /mso-list:\s*l(\d+)\s+level(\d+)/i
const GONE = 'script, style, meta, link, title, xml, iframe, object, embed, form, input, button, svg, math, template, noscript'

// Chromium reports what a handler in a tag would do even where the parser runs nothing: it goes before the parsing
const HANDLER = /\son\w+\s*=\s*("[^"]*"|'[^']*'|[^\s>]+)/gi

export function fromWord(html) {
  const doc = new DOMParser().parseFromString(html.replace(/<[^>]+>/g, (tag) => tag.replace(HANDLER, '')).replace(/<!--\[if[\s\S]*?<!\[endif\]-->/gi, '').replace(/<!\[if[^\]]*\]>|<!\[endif\]>/gi, ''), 'text/html')
  doc.querySelectorAll(GONE).forEach((one) => one.remove())
  lists(doc)
  for (const one of doc.body.querySelectorAll('*')) {
    const style = one.getAttribute('style') || ''
    if (/:/.test(one.tagName)) { one.replaceWith(...one.childNodes); continue }
    if (one.tagName === 'SPAN' || one.tagName === 'FONT') {
      const bold = /font-weight:\s*(bold|[6-9]00)/i.test(style)
      const italic = /font-style:\s*italic/i.test(style)
      if (bold || italic) {
        const made = doc.createElement(bold ? 'strong' : 'em')
        made.append(...one.childNodes)
        one.replaceWith(made)
        continue
      }
    }
    const title = /MsoTitle|MsoHeading(\d)|Ttulo(\d)|Títol(\d)/.exec(one.className || '')
    if (title && one.tagName === 'P') {
      const made = doc.createElement(`h${Math.min(6, 2 + Number(title[1] || title[2] || title[3] || 1))}`)
      made.append(...one.childNodes)
      one.replaceWith(made)
      continue
    }
    // a picture that lies in a folder of the other machine, or elsewhere, cannot come along
    if (one.tagName === 'IMG' && !/^(data:image\/(png|jpeg|gif|webp);|media\/)/i.test(one.getAttribute('src') || '')) { one.replaceWith(doc.createTextNode(one.alt ? `[${one.alt}]` : '')); continue }
    for (const attribute of [...one.attributes]) if (!['href', 'src', 'alt', 'colspan', 'rowspan', 'start', 'data-fact', 'data-hole', 'data-cite', 'data-pm-slice', 'data-type', 'data-label', 'class'].includes(attribute.name)) one.removeAttribute(attribute.name)
    if (one.tagName === 'A' && !/^(https?:|mailto:|#)/i.test(one.getAttribute('href') || '')) one.replaceWith(...one.childNodes)
  }
  tables(doc)
  doc.querySelectorAll('p').forEach((one) => { if (!one.textContent.trim() && !one.querySelector('img')) one.remove() })
  return doc.body.innerHTML
}

function lists(doc) {
  let open = []
  for (const one of [...doc.body.querySelectorAll('p')]) {
    const match = LIST.exec(one.getAttribute('style') || '')
    if (!match) { open = []; continue }
    const level = Number(match[2])
    const marker = one.querySelector('[style*="mso-list:Ignore"], [style*="mso-list: Ignore"]')
    const sign = (marker?.textContent || one.textContent).trim()
    marker?.remove()
    const kind = /^(\d+|[a-z]{1,3}|[ivxlc]+)[.)]/i.test(sign) ? 'ol' : 'ul'
    if (open.length && open[0].list.nextElementSibling !== one) open = []
    open = open.filter((each) => each.level <= level)
    let last = open[open.length - 1]
    if (!last || last.level < level) {
      const list = doc.createElement(kind)
      if (last?.list.lastElementChild) last.list.lastElementChild.append(list)
      else one.before(list)
      last = { level, list }
      open.push(last)
    }
    const item = doc.createElement('li')
    const text = doc.createElement('p')
    text.append(...one.childNodes)
    item.append(text)
    last.list.append(item)
    one.remove()
  }
}

/** Markdown's tables have a head and no merged cells: a merged one is written once, the others stay empty. */
function tables(doc) {
  for (const table of doc.querySelectorAll('table')) {
    const rows = [...table.rows].map((row) => [...row.cells].flatMap((cell) => [cell, ...Array(Math.max(0, Math.min(50, cell.colSpan) - 1)).fill(null)]))
    const width = Math.max(0, ...rows.map((row) => row.length))
    if (!width) { table.remove(); continue }
    const made = doc.createElement('table')
    const body = doc.createElement('tbody')
    made.append(body)
    rows.forEach((cells, index) => {
      const row = doc.createElement('tr')
      for (let place = 0; place < width; place += 1) {
        const cell = doc.createElement(index ? 'td' : 'th')
        const paragraph = doc.createElement('p')
        const old = cells[place]
        if (old) for (const part of [...old.childNodes]) {
          if (part.nodeType === 1 && /^(P|DIV|H[1-6])$/.test(part.tagName)) { if (paragraph.textContent.trim()) paragraph.append(' '); paragraph.append(...part.childNodes) } else paragraph.append(part)
        }
        cell.append(paragraph)
        row.append(cell)
      }
      body.append(row)
    })
    table.replaceWith(made)
  }
}
