// After an installation: with the development tools, builds the service and the console; without them
// (npm ci --omit=dev), removes what is not needed. Plain JavaScript, and never a failure: the sources run without a
// build, and with all files.
const { existsSync } = require('node:fs')
const { join } = require('node:path')
const { slim } = require('./slim.cjs')

const ROOT = join(__dirname, '..')

async function prepare() {
  const modules = join(ROOT, 'node_modules')
  if (!existsSync(join(modules, 'rolldown'))) return slim(modules)
  // An older Node cannot read the script; `npm start` says so.
  if (Number(process.versions.node.split('.')[0]) < 24) return
  const { build, buildConsole } = await import('./build.ts')
  await Promise.all([
    build(join(ROOT, 'build')).catch(tell('The service is not built')),
    buildConsole().catch(tell('The console is not built')),
  ])
}

const tell = (what) => (error) => console.error(`${what}: ${error.message}`)

prepare().catch(tell('Neither built nor made smaller'))
