// After an installation: with the development tools, builds; without them (npm ci --omit=dev), removes what is not needed.
// Plain JavaScript, and never a failure: the sources run without a build, and with all files.
const { existsSync } = require('node:fs')
const { join } = require('node:path')
const { slim } = require('./slim.cjs')

const ROOT = join(__dirname, '..')

async function prepare() {
  const modules = join(ROOT, 'node_modules')
  if (!existsSync(join(modules, 'rolldown'))) return slim(modules)
  // An older Node cannot read the script; `npm start` says so.
  if (Number(process.versions.node.split('.')[0]) < 24) return
  const { build } = await import('./build.ts')
  await build(join(ROOT, 'build'))
}

prepare().catch((error) => console.error(`Neither built nor made smaller: ${error.message}`))
