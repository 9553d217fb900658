// POST /webhooks/crm/{company}, and what becomes of changes that salespeople made: offered to staff, never applied over
// what a customer entered.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { freshCnpj } from '#test/scenes/cnpj.ts'
import { sentQuote } from '#test/scenes/commerce.ts'
import {
  crmScene,
  type CrmScene,
  GLOBAL_SECRET,
  hubspotEvent,
  inCrm,
  sendEvents,
  webhookUrl,
} from '#test/scenes/crm.ts'
import { signedEvents } from '../../../adapters/sandbox/crm/events.ts'
import type { Organization } from '#test/harness/world.ts'

let at: CrmScene
let acme: Organization
let id: string
beforeAll(async () => void (at = await crmScene()))
afterAll(() => at.close())
beforeEach(async () => {
  acme = await at.app.world.organization({ name: 'Acme' })
  ;({ crm_company_id_br: id } = await inCrm(at, acme))
})

const edit = (properties: Record<string, string>, company = id) =>
  at.portal.store.edit('companies', company, properties)
const changed = (propertyName: string, propertyValue: string, company = id) =>
  hubspotEvent('company.propertyChange', company, { propertyName, propertyValue })
const there = () => at.portal.store.companies.get(id)?.properties
const here = async () => (await acme.owner.get(`/organizations/${acme.id}`)).data
const proposals = async (query = '&status=open') =>
  (await at.administrator.get(`/admin/crm/proposals?organization_id=${acme.id}${query}`)).data
const stored = () =>
  at.app.database.query(`select type, error from provider_events where source = 'hubspot' order by id`)

describe('POST /webhooks/crm/{company}', () => {
  it('401 for another secret, the other entity’s, an old time, another address, another body; nothing is stored', async () => {
    const before = await stored()
    const events = [changed('phone', '1')]
    const { now } = at.app.clock
    const good = { to: webhookUrl('entity_br'), at: now, secret: at.portal.secret }
    const wrong = [
      signedEvents(events, { ...good, secret: 'guessed-by-somebody' }),
      signedEvents(events, { ...good, secret: GLOBAL_SECRET }),
      signedEvents(events, { ...good, at: new Date(now.getTime() - 301_000) }),
      signedEvents(events, { ...good, to: webhookUrl('entity_global') }),
      { ...signedEvents(events, good), body: JSON.stringify(events, null, 1) },
      { body: JSON.stringify(events), headers: { 'content-type': 'application/json' } },
    ]
    for (const { body, headers } of wrong)
      expect((await at.app.world.anonymous.post('/webhooks/crm/entity_br', body, headers)).status).toBe(401)
    expect(await stored()).toEqual(before)
    expect((await sendEvents(at, events)).status).toBe(200)
  })
  it('200 stores each event of the list once', async () => {
    const before = (await stored()).length
    const events = [changed('phone', '1'), hubspotEvent('contact.creation', '1'), changed('phone', '2')]
    expect((await sendEvents(at, events)).message).toBe('3 of 3 events stored')
    const again = events.map((event) => ({ ...event, attemptNumber: 1 }))
    expect((await sendEvents(at, [...again, changed('city', 'x')])).message).toBe('1 of 4 events stored')
    expect((await stored()).slice(before)).toHaveLength(4)
  })
  it('200 for an id that no text of the database can hold', async () => {
    const event = { ...changed('phone', '1'), eventId: 'a\u0000b\ud800' }
    expect((await sendEvents(at, [event])).message).toBe('1 of 1 events stored')
    expect((await sendEvents(at, [event])).message).toBe('0 of 1 events stored')
  })
  it('200 and a dead letter for what is signed and cannot be read', async () => {
    expect((await sendEvents(at, 'no JSON')).status).toBe(200)
    expect((await stored()).at(-1)).toMatchObject({ type: 'unreadable', error: 'no list of events' })
    const { data } = await at.administrator.get('/admin/jobs?kind=crm/handle-event')
    expect(data[0].last_error).toContain('of hubspot cannot be read: no list of events')
  })
  it('200 and nothing more for companies and deals that are the salespeople’s own', async () => {
    const own = at.portal.store.add('companies', { name: 'A prospect' })
    expect((await sendEvents(at, [changed('name', 'x', own.id), hubspotEvent('deal.deletion', '12')])).status).toBe(200)
    expect(
      (await at.administrator.get('/admin/jobs')).data.filter((job: { kind: string }) => /sync/.test(job.kind)),
    ).toEqual([])
  })
})

describe('a change in the CRM', () => {
  it('of what the customer entered is offered, and neither side is overwritten', async () => {
    edit({ phone: '+55 11 5555-0199' })
    await sendEvents(at, [changed('phone', '+55 11 5555-0199')])
    expect(await proposals()).toMatchObject([
      { field: 'phone', current_value: '+55 11 5555-0100', proposed_value: '+55 11 5555-0199', company: 'entity_br' },
    ])
    await inCrm(at, acme, { city: 'Recife' })
    expect(await here()).toMatchObject({ phone: '+55 11 5555-0100', city: 'Recife' })
    expect(there()).toMatchObject({ phone: '+55 11 5555-0199', city: 'Recife' })
  })
  it('is offered once, however often and in whatever order its events come, with the present value', async () => {
    edit({ phone: '3' })
    const late = [changed('phone', '2'), changed('phone', '3'), changed('phone', '1')]
    await sendEvents(at, late)
    await sendEvents(at, late.toReversed())
    expect(await proposals()).toMatchObject([{ proposed_value: '3' }])
    edit({ phone: '4' })
    await sendEvents(at, [changed('phone', '4')])
    expect(await proposals('')).toMatchObject([{ proposed_value: '4', status: 'open' }])
  })
  it('that is taken back, or that the customer makes too, is withdrawn', async () => {
    edit({ phone: '1', name: 'ACME' })
    await sendEvents(at, [changed('phone', '1')])
    edit({ phone: '+55 11 5555-0100' })
    await inCrm(at, acme, { name: 'ACME' })
    expect(await proposals('')).toMatchObject([
      { status: 'withdrawn', decided_by: null, decided_at: expect.any(String) },
      { status: 'withdrawn' },
    ])
  })
  it('that empties a field takes nothing from the customer', async () => {
    edit({ phone: '' })
    await sendEvents(at, [changed('phone', '')])
    expect(await proposals()).toEqual([])
    expect(there()).toMatchObject({ phone: '+55 11 5555-0100' })
  })
  it('of an empty phone or website is filled in for a verified organization, everything else is offered', async () => {
    edit({ website: 'acme.example', state: 'SP' })
    await sendEvents(at, [changed('website', 'acme.example')])
    expect((await proposals()).map(({ field }: { field: string }) => field).toSorted()).toEqual(['state', 'website'])
    await at.administrator.post(`/admin/organizations/${acme.id}/verify`)
    await at.app.service.worker.drain()
    expect(await here()).toMatchObject({ website: 'https://acme.example', state: null })
    expect((await proposals()).map(({ field }: { field: string }) => field)).toEqual(['state'])
  })
  it('is nobody’s but staff’s: members see neither offers nor their audit entries', async () => {
    edit({ phone: 'Segredo' })
    await sendEvents(at, [changed('phone', 'Segredo')])
    expect(await proposals()).toHaveLength(1)
    expect((await acme.owner.get('/admin/crm/proposals')).status).toBe(403)
    expect((await acme.owner.get('/audit-log')).raw.body).not.toContain('Segredo')
    expect((await acme.staff.get('/audit-log')).raw.body).toContain('Segredo')
  })
})

describe('a company in the CRM that', () => {
  it('is deleted clears the field and is not made again by an edit; the next quote makes it again', async () => {
    edit({ phone: '1' })
    await sendEvents(at, [changed('phone', '1')])
    at.portal.store.archive('companies', id)
    await sendEvents(at, [hubspotEvent('company.deletion', id)])
    expect(await proposals('')).toMatchObject([{ status: 'withdrawn' }])
    expect(await inCrm(at, acme, { city: 'Recife' })).toMatchObject({ crm_company_id_br: null })
    await sentQuote(acme)
    await at.app.service.worker.drain()
    const { crm_company_id_br: again } = await here()
    expect(again).not.toBe(id)
    expect(at.portal.store.companies.get(again)?.properties).toMatchObject({ name: 'Acme', city: 'Recife' })
  })
  it('is restored is linked again', async () => {
    at.portal.store.archive('companies', id)
    await sendEvents(at, [hubspotEvent('company.deletion', id)])
    at.portal.store.archive('companies', id, false)
    await sendEvents(at, [hubspotEvent('company.restore', id)])
    expect(await here()).toMatchObject({ crm_company_id_br: id })
  })
  it('is merged into another is followed there', async () => {
    const other = at.portal.store.add('companies', { name: 'Acme', city: 'Olinda' })
    at.portal.store.merge(other.id, id)
    await sendEvents(at, [
      hubspotEvent('company.merge', other.id, { primaryObjectId: Number(other.id), mergedObjectIds: [Number(id)] }),
    ])
    expect(await here()).toMatchObject({ crm_company_id_br: other.id, city: null })
    expect(await proposals()).toMatchObject([{ field: 'city', proposed_value: 'Olinda' }])
  })
  it('is given to an organization by hand is linked with it', async () => {
    const orphan = await at.app.world.organization({ name: 'Beta' })
    const given = at.portal.store.add('companies', { name: 'Beta', titular_organization_id: String(orphan.id) })
    await sendEvents(at, [changed('titular_organization_id', String(orphan.id), given.id)])
    expect((await orphan.owner.get(`/organizations/${orphan.id}`)).data.crm_company_id_br).toBe(given.id)
    expect((await sendEvents(at, [changed('titular_organization_id', '999999999', '7')])).status).toBe(200)
  })
  it('gets another CNPJ has it offered, never taken', async () => {
    const cnpj = freshCnpj()
    edit({ cnpj })
    await sendEvents(at, [changed('cnpj', cnpj)])
    expect(await here()).toMatchObject({ cnpj: null })
    expect(await proposals()).toMatchObject([{ field: 'cnpj', current_value: null, proposed_value: cnpj }])
  })
})
