// Canned replies: kept by staff, filled for a ticket, hidden from customers.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { TestApp } from '#test/harness/app.ts'
import type { Organization, Speaker } from '#test/harness/world.ts'
import { type Subjects, ticketScene } from '#test/scenes/tickets.ts'

let app: TestApp
let acme: Organization
let other: Organization
let sold: Subjects
let agent: Speaker
let support: Speaker
let auditor: Speaker

beforeAll(async () => {
  ;({ app, acme, other, sold, agent } = await ticketScene())
  support = await app.world.user({ roles: ['customer', 'support'], name: 'Sofia Prado' })
  auditor = await app.world.user({ roles: ['customer', 'auditor'] })
})
afterAll(() => app.close())

const PATH = '/admin/canned-replies'
const TEXTS = { body_pt_br: 'Olá, {{requester_name}}!', body_en: 'Hello {{requester_name}}!' }
const create = (more: object, by = support) => by.post(PATH, { ...TEXTS, ...more })
const openTicket = async (by: Speaker = agent, more: object = {}) =>
  (await by.post('/tickets', { title: 'Não abre', entitlement_id: sold.hosting, ...more })).data
const namesOf = (found: { name: string }[]) => found.map(({ name }) => name)
const listed = async (query: string) => namesOf((await auditor.get(`${PATH}?${query}`)).data).toSorted()
const only = async (id: number) => namesOf((await forTicket(id, 'only ')).canned_replies)
const forTicket = async (id: number, search: string, by = acme.staff) =>
  (await by.get(`/tickets/${id}/canned-replies?search=${encodeURIComponent(search)}`)).data

describe('POST /admin/canned-replies', () => {
  it('201 for staff who may change tickets, with an entry in the audit log', async () => {
    const made = await create({ name: 'Greeting 👋 "1"', company: 'entity_br' })
    expect(made.status).toBe(201)
    expect(made.data).toMatchObject({ ...TEXTS, name: 'Greeting 👋 "1"', company: 'entity_br' })
    const admin = await app.world.user({ roles: ['customer', 'administrator'] })
    const [entry] = (await admin.get('/admin/audit-log?log=service&resource=canned_reply&per_page=1')).data
    expect(entry).toMatchObject({ action: 'created', resource_id: made.data.id, actor_id: support.userId })
  })
  it('409 for a name that is there for the legal entity, ignoring case; of two at once one is made', async () => {
    expect((await create({ name: 'Twice' })).data.company).toBeNull()
    expect((await create({ name: 'TWICE' })).errors?.reason).toBe('name_taken')
    expect((await create({ name: 'Twice', company: 'entity_br' })).status).toBe(201)
    const both = await Promise.all([create({ name: 'At once' }), create({ name: 'At once' })])
    expect(both.map(({ status }) => String(status)).toSorted()).toEqual(['201', '409'])
  })
  it('422 names each bad field, unknown placeholders among them', async () => {
    const answer = await create({
      name: ' ',
      body_pt_br: 'Olá, {{ nome }}!',
      body_en: 'Hi {{ }} {{name}}',
      company: 'x',
    })
    expect(Object.keys(answer.errors?.fields ?? {}).toSorted()).toEqual(['body_en', 'body_pt_br', 'company', 'name'])
    expect(answer.errors?.fields?.['body_pt_br']).toContain('{{ nome }}')
    expect((await create({ name: 'Empty', body_en: ' ' })).errors?.fields).toHaveProperty('body_en')
    expect((await create({ name: 'Open', body_en: 'a {{ b } c' })).status).toBe(201)
  })
  // A pattern that goes back over the spaces would take longer than a test may.
  it('201, however many spaces follow a bracket', async () => {
    const made = await create({ name: 'Spaces', body_en: `x{{${' '.repeat(19_000)}`, body_pt_br: `{{ staff_name\t}}` })
    expect(made.status).toBe(201)
  })
  it('403 for staff who only read, and for customers', async () => {
    for (const by of [auditor, agent, acme.owner]) expect((await create({ name: 'No' }, by)).status).toBe(403)
  })
})

describe('GET /admin/canned-replies', () => {
  it('200 with those that contain the text and those for the legal entity or all', async () => {
    await create({ name: 'Fatura à vista', company: 'entity_br' })
    await create({ name: 'Fatura (global)', company: 'entity_global' })
    await create({ name: 'Cobrança', body_pt_br: 'A fatura segue anexa.' })
    expect(await listed('search=FATURA')).toEqual(['Cobrança', 'Fatura (global)', 'Fatura à vista'])
    expect(await listed('search=fatura&company=entity_br')).toEqual(['Cobrança', 'Fatura à vista'])
    expect(await listed('search=fatura a')).toEqual(['Fatura à vista'])
  })
  it('403 for customers, also in their organization', async () => {
    expect((await acme.owner.get(PATH)).status).toBe(403)
    const { id } = (await create({ name: 'Hidden' })).data
    expect((await acme.owner.get(`${PATH}/${id}`)).status).toBe(403)
  })
})

describe('PATCH and DELETE /admin/canned-replies/{id}', () => {
  it('200 for the given fields; 412 once somebody else has changed it', async () => {
    const { id } = (await create({ name: 'Before' })).data
    const seen = await support.get(`${PATH}/${id}`)
    const tag = { 'if-match': String(seen.headers['etag']) }
    const both = await Promise.all(
      ['One', 'Two'].map((name) => support.patch(`${PATH}/${id}`, { name, company: null }, tag)),
    )
    expect(both.map(({ status }) => String(status)).toSorted()).toEqual(['200', '412'])
    const after = (await support.get(`${PATH}/${id}`)).data
    expect(after).toMatchObject(TEXTS)
    expect(['One', 'Two']).toContain(after.name)
  })
  it('409 for the name of another; 422 for an unknown placeholder', async () => {
    await create({ name: 'Taken' })
    const { id } = (await create({ name: 'Free' })).data
    expect((await support.patch(`${PATH}/${id}`, { name: 'taken' })).errors?.reason).toBe('name_taken')
    expect((await support.patch(`${PATH}/${id}`, { body_en: '{{x}}' })).errors?.fields).toHaveProperty('body_en')
    expect((await auditor.patch(`${PATH}/${id}`, { name: 'x' })).status).toBe(403)
  })
  it('200 deletes it; 404 afterwards', async () => {
    const { id } = (await create({ name: 'Gone' })).data
    expect((await auditor.delete(`${PATH}/${id}`)).status).toBe(403)
    expect((await support.delete(`${PATH}/${id}`)).status).toBe(200)
    for (const answer of [
      await support.delete(`${PATH}/${id}`),
      await support.get(`${PATH}/${id}`),
      await support.patch(`${PATH}/${id}`, { name: 'x' }),
    ])
      expect(answer.status).toBe(404)
  })
})

describe('GET /tickets/{id}/canned-replies', () => {
  const ALL = '{{ticket_number}}|{{ ticket_title }}|{{requester_name}}|{{organization_name}}|{{staff_name}}'
  it('200 with the placeholders filled in the language of whoever opened it', async () => {
    await create({ name: 'Filled A', body_pt_br: `pt ${ALL}`, body_en: `en ${ALL}` })
    const ana = await acme.member({ scopes: ['tickets'] })
    const name = 'Ana $& {{staff_name}} 🌷'
    await app.database.query(`update users set language = 'pt-BR', name = $2 where id = $1`, [ana.userId, name])
    const ticket = await openTicket(ana, { title: 'É "lento"' })
    const staffName = (await acme.staff.get('/auth/me')).data.name
    const found = await forTicket(ticket.id, 'filled a')
    expect(found).toMatchObject({ language: 'pt-BR', company: 'entity_br' })
    expect(found.canned_replies).toEqual([
      {
        id: expect.any(Number),
        name: 'Filled A',
        body: `pt ${ticket.number}|É "lento"|Ana $& {{staff_name}} 🌷|${acme.name}|${staffName}`,
      },
    ])
    await app.database.query(`update users set language = 'en' where id = $1`, [ana.userId])
    expect((await forTicket(ticket.id, 'filled a')).canned_replies[0].body).toMatch(/^en /)
  })
  it('200 with the organization’s name and the legal entity’s language where staff opened it', async () => {
    await create({ name: 'Filled B', body_pt_br: 'pt {{requester_name}}', body_en: 'en' })
    const ticket = await openTicket(acme.staff)
    const { language, canned_replies } = await forTicket(ticket.id, 'filled b')
    expect([language, canned_replies[0].body]).toEqual(['pt-BR', `pt ${acme.name}`])
  })
  it('200 without those of the other legal entity', async () => {
    await create({ name: 'Only BR', company: 'entity_br' })
    await create({ name: 'Only global', company: 'entity_global' })
    expect(await only((await openTicket()).id)).toEqual(['Only BR'])
    const plain = (await acme.staff.post('/tickets', { title: 'About nothing' })).data
    await app.database.query(`update organizations set country = 'US' where id = $1`, [acme.id])
    expect(await only(plain.id)).toEqual(['Only global'])
    await app.database.query(`update organizations set country = null where id = $1`, [acme.id])
    expect(await only(plain.id)).toEqual(['Only BR'])
  })
  it('200 with those of its legal entity, however many the other one has', async () => {
    await app.database.query(
      `insert into canned_replies (name, company, body_pt_br, body_en)
       select 'A many ' || n, 'entity_global', 'x', 'x' from generate_series(1, 201) n`,
    )
    await create({ name: 'Z many', company: 'entity_br' })
    const { id } = await openTicket()
    expect(namesOf((await forTicket(id, 'many')).canned_replies)).toEqual(['Z many'])
    await app.database.query(`update canned_replies set company = null where name like 'A many%'`)
    expect((await forTicket(id, 'many')).canned_replies).toHaveLength(200)
  })
  it('403 for customers; 404 for another organization’s ticket', async () => {
    const ticket = await openTicket()
    for (const by of [agent, acme.owner])
      expect((await by.get(`/tickets/${ticket.id}/canned-replies`)).status).toBe(403)
    expect((await other.staff.get(`/tickets/${ticket.id}/canned-replies`)).status).toBe(404)
    expect((await acme.staff.get('/tickets/999999/canned-replies')).status).toBe(404)
  })
})
