// Makes dist: what `npm pack` packs, and what the applications beside this package import.
import { execFile } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { generate } from './generate.ts'

const PACKAGE = join(import.meta.dirname, '..')

export async function build(directory = join(PACKAGE, 'dist')): Promise<void> {
  await generate({ ifStale: true })
  await rm(directory, { recursive: true, force: true })
  const tsc = join(PACKAGE, '../../node_modules/.bin/tsc')
  await promisify(execFile)(tsc, ['-p', PACKAGE, '--outDir', directory])
}

if (import.meta.main) await build()
