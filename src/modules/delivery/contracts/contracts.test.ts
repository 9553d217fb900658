// Contracts: drafts, states, renewal, dates and visibility.
import { describe, expect, it } from 'vitest'
import { appOfFile } from '#test/harness/app.ts'
import type { Answer, Organization } from '#test/harness/world.ts'

const app = await appOfFile()
app.clock.now = new Date('2026-06-15T12:00:00Z')
const acme = await app.world.organization()
const other = await app.world.organization()
const viewer = await acme.member({ scopes: ['contracts', 'entitlements'] })

const BODY = { title: 'Maintenance', start_date: '2026-01-01', end_date: '2026-12-31' }

async function draft(more: object = {}, at = acme): Promise<Answer['data']> {
  const answer = await at.staff.post('/contracts', { ...BODY, ...more })
  expect(answer.status, answer.raw.body).toBe(201)
  return answer.data
}
async function active(more: object = {}): Promise<Answer['data']> {
  const { id } = await draft(more)
  return (await acme.staff.post(`/contracts/${id}/status`, { status: 'active' })).data
}
async function entitlement(at: Organization, company = 'entity_br'): Promise<Answer['data']> {
  const body = { class: 'ENV', product_name: 'Hosting', organization_id: at.id, company }
  return (await at.staff.post('/entitlements', body)).data
}
const statusesOf = (answers: Answer[]): number[] => answers.map(({ status }) => status).toSorted((a, b) => a - b)
const statesOf = async (id: number): Promise<unknown[]> =>
  (await acme.staff.get(`/contracts/${id}/history`)).data.map(
    ({ from_status, to_status }: { from_status: string; to_status: string }) => [from_status, to_status],
  )
const eventsOf = (id: number): Promise<{ type: string }[]> =>
  app.database.query(
    `select type from events where organization_id = $1 and resource = 'contract' and resource_id = $2 order by sequence`,
    [acme.id, id],
  )

describe('POST /contracts', () => {
  it('201 with a draft that customers do not see', async () => {
    const hosting = await entitlement(acme, 'entity_global')
    const contract = await draft({
      entitlement_id: hosting.id,
      notice_days: 60,
      sla_first_response_minutes: { urgent: 60, low: null },
    })
    expect(contract).toMatchObject({
      status: 'draft',
      company: 'entity_global',
      entitlement_code: hosting.code,
      notice_date: '2026-11-01',
      sla_first_response_minutes: { urgent: 60, low: null },
      sla_resolution_minutes: null,
      activated_at: null,
    })
    expect((await viewer.get(`/contracts/${contract.id}`)).status).toBe(404)
    expect((await viewer.get(`/contracts/${contract.id}/history`)).status).toBe(404)
    expect((await viewer.get(`/contracts/${contract.id}/pdf`)).status).toBe(404)
    expect((await viewer.get(`/contracts?status=draft`)).data).toEqual([])
    expect((await viewer.get(`/entitlements/${hosting.id}/contracts`)).data).toEqual([])
    expect((await viewer.get(`/entitlements/${hosting.id}/lineage`)).data.contracts).toEqual([])
    const entries = (await acme.owner.get('/audit-log?per_page=100')).data
    expect(entries.filter(({ resource }: { resource: string }) => resource.startsWith('contract'))).toEqual([])
  })
  it('422 for an end before the start, wrong minutes, and another organization', async () => {
    const tries: [object, string][] = [
      [{ end_date: '2025-12-31' }, 'end_date'],
      [{ sla_resolution_minutes: { urgent: 0 } }, 'sla_resolution_minutes.urgent'],
      [{ sla_resolution_minutes: { urgent: 1.5 } }, 'sla_resolution_minutes.urgent'],
      [{ sla_resolution_minutes: { soon: 5 } }, 'sla_resolution_minutes.soon'],
      [{ notice_days: -1 }, 'notice_days'],
      [{ start_date: '0000-01-01' }, 'start_date'],
      [{ end_date: '9999-12-31' }, 'end_date'],
      [{ end_date: '2026-02-30' }, 'end_date'],
      [{ organization_id: other.id }, 'organization_id'],
    ]
    for (const [more, field] of tries) {
      const answer = await acme.staff.post('/contracts', { ...BODY, ...more })
      expect(answer.status, field).toBe(422)
      expect(Object.keys(answer.errors?.fields ?? {}), JSON.stringify(answer.errors)).toContain(field)
    }
  })
  it('404 for the entitlement of another organization, 422 for another legal entity than its own', async () => {
    const foreign = await entitlement(other)
    expect((await acme.staff.post('/contracts', { ...BODY, entitlement_id: foreign.id })).status).toBe(404)
    const own = await entitlement(acme)
    const answer = await acme.staff.post('/contracts', { ...BODY, entitlement_id: own.id, company: 'entity_global' })
    expect(answer.status).toBe(422)
  })
  it('403 for customers', async () => {
    expect((await acme.owner.post('/contracts', BODY)).status).toBe(403)
  })
})

describe('PATCH /contracts/{id}', () => {
  it('200 changes all of a draft', async () => {
    const { id } = await draft()
    const hosting = await entitlement(acme)
    const change = { title: 'Other', end_date: null, start_date: '2026-02-01', entitlement_id: hosting.id }
    const answer = await acme.staff.patch(`/contracts/${id}`, { ...change, sla_resolution_minutes: { high: 30 } })
    expect(answer.data).toMatchObject({ ...change, entitlement_code: hosting.code, notice_date: null })
    const foreign = await entitlement(other)
    expect((await acme.staff.patch(`/contracts/${id}`, { entitlement_id: foreign.id })).status).toBe(404)
    expect((await acme.staff.patch(`/contracts/${id}`, { end_date: '2026-01-01' })).status).toBe(422)
  })
  it('200 for title and notes of an active contract, 409 for all other fields', async () => {
    const { id } = await active()
    expect((await acme.staff.patch(`/contracts/${id}`, { title: 'New', notes: 'x' })).data).toMatchObject({
      title: 'New',
    })
    for (const change of [
      { end_date: '2030-01-01' },
      { terms: 'x' },
      { notice_days: 1 },
      { sla_resolution_minutes: null },
    ])
      expect((await acme.staff.patch(`/contracts/${id}`, change)).status).toBe(409)
  })
})

describe('POST /contracts/{id}/status', () => {
  it('200 for allowed moves, with their history', async () => {
    const { id } = await draft()
    for (const [status, note] of [
      ['active', 'Signed'],
      ['suspended', null],
      ['active', null],
      ['cancelled', 'Over'],
    ])
      expect((await acme.staff.post(`/contracts/${id}/status`, { status, note })).status).toBe(200)
    expect(await statesOf(id)).toEqual([
      [null, 'draft'],
      ['draft', 'active'],
      ['active', 'suspended'],
      ['suspended', 'active'],
      ['active', 'cancelled'],
    ])
    const history = (await viewer.get(`/contracts/${id}/history`)).data
    expect(history[1]).toMatchObject({ note: 'Signed', changed_by: acme.staff.userId, changed_by_name: 'Staff' })
    expect((await eventsOf(id)).map(({ type }) => type)).toEqual(
      ['created', 'activated', 'suspended', 'resumed', 'cancelled'].map((name) => `titular/contract/${name}`),
    )
  })
  it('409 for other moves, for `renewed`, and after the end date', async () => {
    const { id } = await draft()
    for (const status of ['draft', 'suspended', 'expired', 'renewed'])
      expect((await acme.staff.post(`/contracts/${id}/status`, { status })).status, status).toBe(409)
    const running = await active()
    expect((await acme.staff.post(`/contracts/${running.id}/status`, { status: 'renewed' })).status).toBe(409)
    const past = await draft({ end_date: '2026-06-14' })
    expect((await acme.staff.post(`/contracts/${past.id}/status`, { status: 'active' })).status).toBe(409)
  })
  it('the customer’s audit log has it from the activation on', async () => {
    const { id } = await draft()
    await acme.staff.patch(`/contracts/${id}`, { terms: 'Secret until then' })
    await acme.staff.post(`/contracts/${id}/status`, { status: 'active' })
    await acme.staff.patch(`/contracts/${id}`, { notes: 'Known' })
    await acme.staff.post(`/contracts/${id}/renew`, { end_date: null })
    const { data } = await acme.owner.get('/audit-log?resource=contract&per_page=100')
    const actions = data.filter((one: { resource_id: number }) => [id, id + 1].includes(one.resource_id))
    expect(actions.map(({ action }: { action: string }) => action)).toEqual([
      'renewed',
      'created',
      'amended',
      'activated',
    ])
    const states = (await acme.owner.get('/audit-log?resource=contract_history&per_page=100')).data
    expect(JSON.stringify(states)).not.toContain('"to_status":"draft"')
    expect(JSON.stringify(states)).toContain('"to_status":"active"')
  })
  it('a cancelled draft is never visible to customers', async () => {
    const { id } = await draft()
    await acme.staff.post(`/contracts/${id}/status`, { status: 'cancelled' })
    expect((await viewer.get(`/contracts/${id}`)).status).toBe(404)
    const entries = (await acme.owner.get('/audit-log?resource=contract&per_page=100')).data
    expect(entries.filter(({ resource_id }: { resource_id: number }) => resource_id === id)).toEqual([])
  })
  it('200 for one of eight requests at once', async () => {
    const { id } = await active()
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => acme.staff.post(`/contracts/${id}/status`, { status: 'suspended' })),
    )
    expect(statusesOf(answers)).toEqual([200, ...Array<number>(7).fill(409)])
    expect(await statesOf(id)).toHaveLength(3)
  })
})

describe('POST /contracts/{id}/renew', () => {
  it('201 with a successor in force, linked both ways', async () => {
    const old = await active({ notice_days: 30, sla_resolution_minutes: { high: 60 }, terms: 'All of it.' })
    const answer = await acme.staff.post(`/contracts/${old.id}/renew`, { end_date: '2027-12-31', note: 'As agreed' })
    expect(answer.status).toBe(201)
    expect(answer.data).toMatchObject({
      status: 'active',
      start_date: '2027-01-01',
      end_date: '2027-12-31',
      notice_date: '2027-12-01',
      terms: 'All of it.',
      sla_resolution_minutes: { high: 60 },
      predecessor_id: old.id,
      successor_id: null,
    })
    expect((await viewer.get(`/contracts/${old.id}`)).data).toMatchObject({
      status: 'renewed',
      successor_id: answer.data.id,
    })
    expect((await viewer.get(`/contracts/${answer.data.id}/history`)).data).toMatchObject([
      { from_status: null, to_status: 'active', note: 'As agreed' },
    ])
  })
  it('201 for an expired contract', async () => {
    const { id } = await active()
    expect((await acme.staff.post(`/contracts/${id}/status`, { status: 'expired' })).status).toBe(200)
    const body = { start_date: '2026-06-15', end_date: null }
    expect((await acme.staff.post(`/contracts/${id}/renew`, body)).data).toMatchObject({
      end_date: null,
      status: 'active',
    })
  })
  it('409 for a draft, 422 for dates in the wrong order or in the past, without creating anything', async () => {
    const { id } = await draft()
    expect((await acme.staff.post(`/contracts/${id}/renew`, { end_date: null })).status).toBe(409)
    const running = await active()
    const before = (await acme.staff.get('/contracts')).meta?.total
    for (const body of [
      { end_date: '2026-12-31' },
      { start_date: '2026-01-01', end_date: '2027-01-01' },
      { start_date: '2026-02-01', end_date: '2026-03-01' },
    ])
      expect((await acme.staff.post(`/contracts/${running.id}/renew`, body)).status).toBe(422)
    expect((await acme.staff.get('/contracts')).meta?.total).toBe(before)
  })
  it('201 for one of eight requests at once', async () => {
    const { id } = await active()
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => acme.staff.post(`/contracts/${id}/renew`, { end_date: '2027-12-31' })),
    )
    expect(statusesOf(answers)).toEqual([201, ...Array<number>(7).fill(409)])
  })
})
