// The size of a production install: what `npm ci --omit=dev` brings, and what is left of it without embedded PostgreSQL and Node.
import { execFile } from 'node:child_process'
import { copyFile, mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type Verdict, upTo } from './report.ts'
import type { Report, Run } from './run.ts'

const run = promisify(execFile)
const ROOT = join(import.meta.dirname, '..')
const LIMIT_MS = 300_000
const INSTALLS = [
  { what: 'production install', omit: ['dev'], megabytes: 250 },
  { what: 'production install without embedded PostgreSQL and Node', omit: ['dev', 'optional'], megabytes: 90 },
]

export async function measureInstall({ home }: Run): Promise<Report> {
  const verdicts: Verdict[] = []
  const figures: object[] = []
  for (const { what, omit, megabytes } of INSTALLS) {
    const folder = join(home, `install-${omit.join('-')}`)
    await mkdir(folder)
    for (const file of ['package.json', 'package-lock.json', '.npmrc'])
      await copyFile(join(ROOT, file), join(folder, file))
    const flags = omit.map((kind) => `--omit=${kind}`)
    await run('npm', ['ci', ...flags, '--no-audit', '--no-fund'], { cwd: folder, timeout: LIMIT_MS })
    const { stdout } = await run('du', ['-sk', 'node_modules'], { cwd: folder })
    const size = Number.parseInt(stdout, 10) / 1024
    const installed = await readFile(join(folder, 'node_modules/.package-lock.json'), 'utf8')
    const { packages }: { packages: object } = JSON.parse(installed)
    const count = Object.keys(packages).length
    figures.push({ what, packages: count, megabytes: size })
    verdicts.push(upTo(`${what} (${count} packages)`, size, megabytes, 'MB'))
  }
  return { verdicts, lines: [], figures }
}
