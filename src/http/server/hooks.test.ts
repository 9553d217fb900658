import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { HookEvent } from '#kernel/data/events.ts'
import { startApp, type TestApp } from '#test/harness/app.ts'
import type { Organization } from '#test/harness/world.ts'
import { loadHooks } from './hooks.ts'

let app: TestApp
let acme: Organization
let called: { by: string; event: HookEvent }[] = []
let failures = 0

const tell = (by: string) => (event: HookEvent) => {
  called.push({ by, event })
}

beforeAll(async () => {
  app = await startApp({
    hooks: {
      '*': tell('all'),
      'titular/entitlement/created': tell('created'),
      'titular/entitlement/suspended': () => {
        failures += 1
        if (failures < 3) throw new Error('not today')
      },
    },
  })
  acme = await app.world.organization()
})
afterAll(() => app.close())
beforeEach(() => {
  called = []
})

const license = () => ({ class: 'PLG', product_name: 'Backup', company: 'entity_br', organization_id: acme.id })

describe('hooks', () => {
  it('are called once per event, after the commit, with the record', async () => {
    const { data } = await acme.staff.post('/entitlements', license())
    expect(called).toEqual([])
    await app.service.worker.drain()
    expect(called.map(({ by }) => by)).toEqual(['created', 'all'])
    expect(called[0]?.event).toMatchObject({
      type: 'titular/entitlement/created',
      organizationId: acme.id,
      resource: 'entitlement',
      resourceId: data.id,
      data: { code: data.code },
    })
    await app.service.worker.drain()
    expect(called).toHaveLength(2)
  })
  it('are not called for a change that was rolled back', async () => {
    const refused = await acme.staff.post('/entitlements', { ...license(), quote_id: 999_999 })
    expect(refused.status).toBe(422)
    await app.service.worker.drain()
    expect(called).toEqual([])
  })
  it('that throw are called again later, and delay nothing else', async () => {
    const { data } = await acme.staff.post('/entitlements', license())
    await acme.staff.post(`/entitlements/${data.id}/suspend`)
    await acme.staff.post('/entitlements', license())
    await app.service.worker.drain()
    expect(failures).toBe(1)
    expect(called.filter(({ by }) => by === 'created')).toHaveLength(2)
    for (let round = 0; round < 3; round += 1) {
      app.clock.advance(60)
      await app.service.worker.drain()
    }
    expect(failures).toBe(3)
  })
})

const load = async (text: string) => {
  const directory = await mkdtemp(join(tmpdir(), 'titular-hooks-'))
  try {
    const path = join(directory, 'hooks.mjs')
    await writeFile(path, text)
    return await loadHooks(path)
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}

describe('the module that HOOKS names', () => {
  it('exports event names and functions', async () => {
    const hooks = await load(`export const hooks = { 'titular/quote/paid': () => {}, '*': () => {} }`)
    expect(Object.keys(hooks)).toEqual(['titular/quote/paid', '*'])
    expect(await loadHooks(null)).toEqual({})
  })
  it.each([
    ['no export', 'export const other = {}'],
    ['a name that is none', `export const hooks = { 'quote.paid': () => {} }`],
    ['no function', `export const hooks = { 'titular/quote/paid': 1 }`],
  ])('stops the start: %s', async (_, text) => {
    await expect(load(text)).rejects.toThrow('must export "hooks"')
  })
})
