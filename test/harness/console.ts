// Before the tests: the console is built, unless that was done since its sources changed, or there is no browser to open it in.
import { execFileSync } from 'node:child_process'
import { existsSync, globSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { CHROMIUM } from './chromium.ts'

const ROOT = join(import.meta.dirname, '../..')
const INDEX = join(ROOT, 'apps/console/dist/index.html')
const SOURCES = ['apps/console/src/**/*', 'apps/console/*.{ts,html,json}', 'packages/sdk/src/**/*.ts']

function isStale(): boolean {
  if (!existsSync(INDEX)) return true
  const builtAt = statSync(INDEX).mtimeMs
  return globSync(SOURCES, { cwd: ROOT }).some((path) => statSync(join(ROOT, path)).mtimeMs > builtAt)
}

/** In a process of its own: the tests' NODE_ENV would build what React is for developers. */
export function setup(): void {
  if (CHROMIUM === null || !isStale()) return
  execFileSync('npm', ['run', 'build', '-w', 'apps/console'], {
    cwd: ROOT,
    env: { ...process.env, NODE_ENV: 'production' },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
}
