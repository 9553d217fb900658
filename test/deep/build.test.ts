// The build (docs/decisions/0049): it does what the sources do, and is used only as long as it was made of them.
import { mkdir, mkdtemp, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { ROOT } from '#test/harness/golden.ts'
import { processOf, type Running } from '#test/harness/process.ts'
import { until } from '#test/harness/until.ts'
import { build } from '../../scripts/build.ts'
import { builtEntry, digestOf, ENTRY, MANIFEST, stampOf } from '../../src/commands/built.ts'
import { DEMO_SIGN_INS } from '../../src/demo/sign-ins.ts'

describe('a service from the build', () => {
  const directory = join(ROOT, '.test/build')
  let service: Running
  beforeAll(async () => {
    await build(directory)
    service = await processOf({ DEMO: '1' }, [], join(directory, `${ENTRY}.js`))
    await service.start()
  })
  afterAll(async () => {
    await service.remove()
    await rm(directory, { recursive: true })
  })

  const ask = (path: string, init: RequestInit = {}) => fetch(`${service.url}${path}`, init)

  it('migrates, loads the demo, signs in and renders a document', async () => {
    const body = JSON.stringify({ email: 'ana@padaria.example', password: DEMO_SIGN_INS.password })
    const headers = { 'content-type': 'application/json' }
    const login = await ask('/api/v1/auth/login', { method: 'POST', headers, body })
    const { data }: { data: { access_token: string } } = JSON.parse(await login.text())
    const caller = { authorization: `Bearer ${data.access_token}`, 'x-service-organization': '1' }
    // 503 while the jobs of the demo keep the rendering thread busy.
    const pdf = await until(
      () => ask('/api/v1/quotes/1/pdf', { headers: caller }),
      ({ status }) => status !== 503,
    )
    expect([pdf.status, pdf.headers.get('content-type')]).toEqual([200, 'application/pdf'])
    expect((await pdf.bytes()).length).toBeGreaterThan(1000)
  })
  it('has the pages with their styles, and the API reference', async () => {
    expect(await (await ask('/')).text()).toMatch(/<style [^>]*>\s*\S/)
    expect((await ask('/docs/')).status).toBe(200)
    expect((await ask('/openapi.json')).status).toBe(200)
  })
  it('knows the sources that it was made of', () => {
    expect(builtEntry(ROOT, directory)).toBe(pathToFileURL(join(directory, `${ENTRY}.js`)).href)
  })
})

/** A folder with two sources and a build of them. */
async function checkout() {
  const root = await mkdtemp(join(tmpdir(), 'titular-build-'))
  onTestFinished(() => rm(root, { recursive: true }))
  const directory = join(root, 'build')
  const sources = ['one.ts', 'two.ts']
  await mkdir(directory)
  for (const name of sources) await writeFile(join(root, name), name)
  for (const name of sources) await utimes(join(root, name), 0, 0)
  const manifest = { sources, stamp: stampOf(root, sources), digest: digestOf(root, sources) }
  await writeFile(join(directory, MANIFEST), JSON.stringify(manifest))
  return { root, directory, isUsed: () => builtEntry(root, directory) !== null }
}

describe('a build is used', () => {
  it('of a copy with other times', async () => {
    const { root, isUsed } = await checkout()
    await utimes(join(root, 'one.ts'), 1, 1)
    expect(isUsed()).toBe(true)
  })
})

describe('a build is not used', () => {
  it('where there is none', async () => {
    const { root } = await checkout()
    expect(builtEntry(root, join(root, 'nothing'))).toBe(null)
  })
  it('once a source has another content, until it is as it was', async () => {
    const { root, isUsed } = await checkout()
    expect(isUsed()).toBe(true)
    await writeFile(join(root, 'one.ts'), 'another')
    expect(isUsed()).toBe(false)
    await writeFile(join(root, 'one.ts'), 'one.ts')
    expect(isUsed()).toBe(true)
  })
  it('once a source was replaced by one of the same size and time, as from an archive', async () => {
    const { root, isUsed } = await checkout()
    const path = join(root, 'one.ts')
    const before = await stat(path)
    const replaced = async () => {
      await writeFile(path, 'eno.ts')
      await utimes(path, 0, 0)
      return stat(path)
    }
    // The clock of the file system advances in steps of some milliseconds.
    const after = await until(replaced, ({ ctimeMs }) => ctimeMs > before.ctimeMs)
    expect([after.size, after.mtimeMs]).toEqual([before.size, before.mtimeMs])
    expect(isUsed()).toBe(false)
  })
  it('once a source is gone', async () => {
    const { root, isUsed } = await checkout()
    await rm(join(root, 'two.ts'))
    expect(isUsed()).toBe(false)
  })
  it('when it was not completed', async () => {
    const { directory, isUsed } = await checkout()
    await writeFile(join(directory, MANIFEST), '{"sources":["one.ts"')
    expect(isUsed()).toBe(false)
  })
})
