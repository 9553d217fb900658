// A start names the dependencies that are not installed.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { missingPackages } from './missing-packages.ts'

it('finds all dependencies of this installation', async () => {
  expect(await missingPackages(join(import.meta.dirname, '../../package.json'))).toEqual([])
})

it('names the ones that are not there', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'titular-packages-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const file = join(folder, 'package.json')
  await writeFile(file, JSON.stringify({ dependencies: { stripe: '1.0.0', undici: '1.0.0' } }))
  expect(await missingPackages(file)).toEqual(['stripe', 'undici'])
})
