// Teams: kept by staff; who leaves staff leaves them.
import { describe, expect, it } from 'vitest'
import { appOfFile } from '#test/harness/app.ts'
import type { Speaker } from '#test/harness/world.ts'

const app = await appOfFile()
const acme = await app.world.organization()
const boss = await app.world.user({ roles: ['customer', 'administrator'] })
const support = await app.world.user({ roles: ['customer', 'support'], name: 'Sofia' })
const colleague = await app.world.user({ roles: ['customer', 'operations'], name: 'Bia 🌱 "B"' })
const finance = await app.world.user({ roles: ['customer', 'finance'] })

const PATH = '/admin/teams'
const create = (body: object, by: Speaker = support) => by.post(PATH, body)
const members = async (id: number) =>
  (await support.get(`${PATH}/${id}`)).data.members.map(({ user_id }: { user_id: number }) => user_id)

describe('POST /admin/teams', () => {
  it('201 with its members by name, and an entry in the audit log', async () => {
    const made = await create({ name: 'Hosting', member_ids: [support.userId, colleague.userId], default_for: ['ENV'] })
    expect(made.status, made.raw.body).toBe(201)
    expect(made.data).toMatchObject({
      name: 'Hosting',
      default_for: ['ENV'],
      members: [
        { user_id: colleague.userId, name: 'Bia 🌱 "B"' },
        { user_id: support.userId, name: 'Sofia' },
      ],
    })
    const [entry] = (await boss.get('/admin/audit-log?log=service&resource=team&per_page=1')).data
    expect(entry).toMatchObject({ action: 'created', resource_id: made.data.id, actor_id: support.userId })
    expect((await support.get(PATH)).data[0]).toEqual(made.data)
  })
  it('409 for the name or the tickets of another team; of two at once one is made', async () => {
    await create({ name: 'Billing', default_for: ['invoice', 'order'] })
    expect((await create({ name: 'BILLING' })).errors?.reason).toBe('name_taken')
    expect((await create({ name: 'Orders', default_for: ['order'] })).errors?.reason).toBe('team_default_taken')
    const both = await Promise.all(['One', 'Two'].map((name) => create({ name, default_for: ['none'] })))
    expect(both.map(({ status }) => String(status)).toSorted()).toEqual(['201', '409'])
  })
  it('422 for whoever may not read tickets, is no staff, or does not exist', async () => {
    const ids = [finance.userId, acme.owner.userId, support.userId, 999_999]
    const answer = await create({ name: 'Wrong', member_ids: ids, default_for: ['XXX'] })
    expect(Object.keys(answer.errors?.fields ?? {})).toEqual(['default_for.0'])
    const strange = await create({ name: 'Wrong', member_ids: ids })
    expect(Object.keys(strange.errors?.fields ?? {}).toSorted()).toEqual([
      'member_ids.0',
      'member_ids.1',
      'member_ids.3',
    ])
    expect((await support.get(PATH)).data.some(({ name }: { name: string }) => name === 'Wrong')).toBe(false)
  })
  it('403 for staff who only read tickets, and for customers', async () => {
    const sales = await app.world.user({ roles: ['customer', 'sales'] })
    for (const by of [sales, acme.owner]) expect((await create({ name: 'No' }, by)).status).toBe(403)
    expect((await sales.get(PATH)).status).toBe(200)
    expect((await acme.owner.get(PATH)).status).toBe(403)
  })
})

describe('PATCH and DELETE /admin/teams/{id}', () => {
  it('200 for the given fields; all members are replaced', async () => {
    const { id } = (await create({ name: 'Before', member_ids: [support.userId], default_for: ['EDU'] })).data
    const changed = await support.patch(`${PATH}/${id}`, {
      member_ids: [colleague.userId],
      default_for: ['EDU', 'PLG'],
    })
    expect(changed.data).toMatchObject({ name: 'Before', default_for: ['EDU', 'PLG'] })
    expect(await members(id)).toEqual([colleague.userId])
    expect((await support.patch(`${PATH}/${id}`, { name: 'After' })).data.members).toHaveLength(1)
  })
  it('409 for what is another’s, 412 once somebody else has changed it', async () => {
    await create({ name: 'Theirs', default_for: ['SVC'] })
    const { id } = (await create({ name: 'Ours' })).data
    expect((await support.patch(`${PATH}/${id}`, { name: 'theirs' })).errors?.reason).toBe('name_taken')
    expect((await support.patch(`${PATH}/${id}`, { default_for: ['SVC'] })).status).toBe(409)
    const tag = { 'if-match': String((await support.get(`${PATH}/${id}`)).headers['etag']) }
    const both = await Promise.all(['A1', 'A2'].map((name) => support.patch(`${PATH}/${id}`, { name }, tag)))
    expect(both.map(({ status }) => String(status)).toSorted()).toEqual(['200', '412'])
  })
  it('200 deletes it, its name and its tickets are free; 404 afterwards', async () => {
    const { id } = (await create({ name: 'Short', default_for: ['AFL'], member_ids: [support.userId] })).data
    expect((await support.delete(`${PATH}/${id}`)).status).toBe(200)
    expect((await support.get(`${PATH}/${id}`)).status).toBe(404)
    expect((await support.patch(`${PATH}/${id}`, { name: 'x' })).status).toBe(404)
    expect((await support.delete(`${PATH}/${id}`)).status).toBe(404)
    expect((await create({ name: 'short', default_for: ['AFL'] })).status).toBe(201)
  })
})

describe('a person who leaves staff', () => {
  it('leaves their teams, also when they are appointed again', async () => {
    const person = await app.world.user({ roles: ['customer', 'support'] })
    const { id } = (await create({ name: 'Leavers', member_ids: [person.userId, support.userId] })).data
    await boss.delete(`/admin/staff/${person.userId}?reason=Leaves`)
    expect(await members(id)).toEqual([support.userId])
    app.clock.advance(1)
    const [{ email } = { email: '' }] = await app.database.query<{ email: string }>(
      'select email from users where id = $1',
      [person.userId],
    )
    const again = await boss.post('/admin/staff', { email, roles: ['support'], reason: 'Is back' })
    expect(again.status, again.raw.body).toBe(201)
    expect(await members(id)).toEqual([support.userId])
    await support.patch(`${PATH}/${id}`, { member_ids: [person.userId] })
    expect(await members(id)).toEqual([person.userId])
  })
  it('is no member while their roles do not allow to read tickets', async () => {
    const person = await app.world.user({ roles: ['customer', 'support'] })
    const { id } = (await create({ name: 'Movers', member_ids: [person.userId] })).data
    await boss.put(`/admin/staff/${person.userId}`, { roles: ['finance'], reason: 'Moves' })
    expect(await members(id)).toEqual([])
  })
})

describe('GET /admin/teams/assignees', () => {
  it('200 by name with those who can be given a ticket, their teams and what they have', async () => {
    const { id: team } = (await create({ name: 'Desk', member_ids: [support.userId] })).data
    const assigned = { title: 'Slow', assignee_id: support.userId }
    expect((await acme.staff.post('/tickets', assigned)).status).toBe(201)
    const { data } = await support.get('/admin/teams/assignees?per_page=100')
    const sofia = data.find(({ user_id }: { user_id: number }) => user_id === support.userId)
    expect(sofia).toMatchObject({ name: 'Sofia', open_tickets: 1, team_ids: expect.arrayContaining([team]) })
    const names = data.map(({ name }: { name: string }) => name)
    expect(names).toContain('Bia 🌱 "B"')
    const ids: number[] = data.map(({ user_id }: { user_id: number }) => user_id)
    expect(ids).not.toContain(finance.userId)
    for (const assignee_id of ids)
      expect((await acme.staff.post('/tickets', { title: 'Slow', assignee_id })).status, String(assignee_id)).toBe(201)
    const paged = (await support.get('/admin/teams/assignees?per_page=1&page=2')).data
    expect(paged.map(({ user_id }: { user_id: number }) => user_id)).toEqual(ids.slice(1, 2))
  })
  it('403 for who may not read tickets', async () => {
    expect((await finance.get('/admin/teams/assignees')).status).toBe(403)
  })
})
