// Bundles the browser's side into app/static. The same source and lock file give the same bytes.
import { build } from 'esbuild'

const common = { bundle: true, minify: true, target: 'es2020', legalComments: 'none', charset: 'utf8', logLevel: 'warning' }
await build({ ...common, entryPoints: ['src/main.js'], format: 'iife', outfile: '../static/app.js' })
await build({ ...common, entryPoints: ['src/app.css'], outfile: '../static/app.css' })
