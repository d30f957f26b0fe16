// Bundles the browser's side into app/static. The same source and lock file give the same bytes.
import { readFile } from 'node:fs/promises'
import { build } from 'esbuild'

// ProseMirror asks a stack trace whether it runs on V8, for which V8 reads the whole bundle a second time (0.1 s of each
// opening); what it does there is harmless elsewhere
const ASKED = /const v8InternHack = \(\(\) => \{[\s\S]*?\n\}\)\(\);/
const unasked = {
  name: 'unasked',
  setup: (made) => made.onLoad({ filter: /prosemirror-model[\\/]dist[\\/]index\.js$/ }, async ({ path }) => {
    const text = await readFile(path, 'utf8')
    if (!ASKED.test(text)) throw new Error(`${path}: the test for V8 is not where it was`)
    return { contents: text.replace(ASKED, 'const v8InternHack = ((seen) => (text) => { seen[text]; return text; })(Object.create(null));'), loader: 'js' }
  }),
}

const common = { bundle: true, minify: true, target: 'es2020', legalComments: 'none', charset: 'utf8', logLevel: 'warning', plugins: [unasked] }
await build({ ...common, entryPoints: ['src/main.js'], format: 'iife', outfile: '../static/app.js' })
await build({ ...common, entryPoints: ['src/app.css'], outfile: '../static/app.css' })
