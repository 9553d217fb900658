import { Client } from 'pg'
import { describe, expect, it } from 'vitest'
import { typeParsers } from '#kernel/database/row-reader.ts'
import { appOfFile } from '#test/harness/app.ts'
import { subjects, type Subjects } from '#test/scenes/tickets.ts'
import type { Speaker } from '#test/harness/world.ts'

const app = await appOfFile({ environment: { SUPPORT_EMAIL: 'desk@vendor.example' } })
const acme = await app.world.organization({ name: 'Acme' })
const sold: Subjects = await subjects(app, acme)
const member = await acme.member({ scopes: ['entitlements'] })
const agent = await acme.member({ scopes: ['tickets'] })

const open = async (more: object = {}, by: Speaker = agent): Promise<number> =>
  (await by.post('/tickets', { title: 'It is slow', entitlement_id: sold.hosting, ...more })).data.id
const comment = (by: Speaker, id: number, body: string, more: object = {}) =>
  by.post(`/tickets/${id}/comments`, { body, ...more })
const move = (by: Speaker, id: number, status: string) => by.post(`/tickets/${id}/status`, { status })

/** With the database role of the service, for a user who is not staff. */
async function asCustomer<Row>(query: string): Promise<Row[]> {
  const client = new Client({ connectionString: app.database.url, types: typeParsers })
  await client.connect()
  try {
    await client.query('begin')
    await client.query('set local role titular_app')
    await client.query(`select set_config('app.organization_id', $1, true)`, [String(acme.id)])
    return (await client.query(query)).rows as Row[]
  } finally {
    await client.end()
  }
}

const ticket = async (id: number) => (await agent.get(`/tickets/${id}`)).data

describe('POST /tickets/{id}/comments', () => {
  it('201 by a customer and by staff, listed oldest first', async () => {
    const id = await open()
    const answer = await comment(agent, id, 'It happened again')
    expect(answer.status).toBe(201)
    expect(answer.data).toMatchObject({ ticket_id: id, internal: false, by_staff: false, author_id: agent.userId })
    expect((await comment(acme.staff, id, 'We look')).data).toMatchObject({ by_staff: true, author_name: 'Staff' })
    const list = await member.get(`/tickets/${id}/comments`)
    expect(list.data.map(({ body }: { body: string }) => body)).toEqual(['It happened again', 'We look'])
    expect(list.meta?.total).toBe(2)
  })
  it('403 without the scope and for a customer’s internal note; 422 for an empty one; 404 for another’s', async () => {
    const id = await open()
    expect((await comment(member, id, 'x')).message).toBe('Scope not authorized: tickets')
    expect((await comment(acme.owner, id, 'x', { internal: true })).status).toBe(403)
    expect((await comment(agent, id, ' \n')).status).toBe(422)
    const other = await app.world.organization()
    expect((await comment(other.owner, id, 'x')).status).toBe(404)
    expect((await other.owner.get(`/tickets/${id}/comments`)).status).toBe(404)
  })
  it('201 with an internal note, which only staff see in list, total, events and audit log', async () => {
    const id = await open()
    await comment(acme.staff, id, 'The customer is difficult', { internal: true })
    await comment(acme.staff, id, 'We look into it')
    for (const by of [agent, acme.owner]) {
      const seen = await by.get(`/tickets/${id}/comments`)
      expect(seen.meta?.total).toBe(1)
      expect(seen.raw.body).not.toContain('difficult')
    }
    expect((await acme.staff.get(`/tickets/${id}/comments`)).meta?.total).toBe(2)
    const log = await acme.owner.get('/audit-log?per_page=100&resource=ticket_comment')
    expect(log.raw.body).not.toContain('difficult')
    expect(log.raw.body).toContain('We look into it')
    expect((await acme.staff.get('/audit-log?per_page=100&resource=ticket_comment')).raw.body).toContain('difficult')
    const [{ n } = { n: -1 }] = await asCustomer<{ n: number }>(
      `select count(*) as n from events where data ->> 'internal' = 'true'`,
    )
    expect(n).toBe(0)
  })
  it('201 by a customer reopens a resolved ticket and sets a waiting one in progress; by staff neither', async () => {
    const id = await open()
    await move(acme.staff, id, 'resolved')
    await comment(acme.staff, id, 'Is it well now?')
    expect((await ticket(id)).status).toBe('resolved')
    await comment(agent, id, 'No')
    expect(await ticket(id)).toMatchObject({ status: 'open', resolved_at: null })
    await move(acme.staff, id, 'waiting')
    await comment(agent, id, 'Here it is')
    expect((await ticket(id)).status).toBe('in_progress')
    const history = await agent.get(`/tickets/${id}/history`)
    expect(history.data.map(({ to_status }: { to_status: string }) => to_status)).toEqual([
      'open',
      'resolved',
      'open',
      'waiting',
      'in_progress',
    ])
    expect(history.data[2].changed_by).toBe(agent.userId)
  })
  it('409 when the ticket is closed or cancelled, and nothing is stored', async () => {
    for (const status of ['closed', 'cancelled']) {
      const id = await open()
      await move(agent, id, status)
      expect((await comment(agent, id, 'Wait')).status).toBe(409)
      expect((await comment(acme.staff, id, 'Wait')).status).toBe(409)
      expect((await agent.get(`/tickets/${id}/comments`)).meta?.total).toBe(0)
      expect((await ticket(id)).status).toBe(status)
    }
  })
  it('201 or 409 for a reply while staff close the ticket, which is closed in the end', async () => {
    for (let round = 0; round < 15; round++) {
      const id = await open()
      await move(acme.staff, id, 'resolved')
      const [reply, closing] = await Promise.all([comment(agent, id, 'No'), move(acme.staff, id, 'closed')])
      expect([201, 409]).toContain(reply.status)
      expect(closing.status).toBe(200)
      const { status } = await ticket(id)
      expect(status).toBe('closed')
      expect((await agent.get(`/tickets/${id}/comments`)).meta?.total).toBe(reply.status === 201 ? 1 : 0)
    }
  })
})

const drain = async (): Promise<Map<string, string[]>> => {
  await app.service.worker.drain()
  const mail = app.service.sandbox?.mail
  const byRecipient = new Map<string, string[]>()
  for (const { name } of (await mail?.list(500)) ?? []) {
    const found = await mail?.read(name)
    if (found) byRecipient.set(found.to, [...(byRecipient.get(found.to) ?? []), `${found.subject}\n${found.text}`])
  }
  return byRecipient
}
/** The mails that are sent during `work`, by recipient. */
const since = async (work: () => Promise<unknown>): Promise<Map<string, string[]>> => {
  const before = await drain()
  await work()
  const now = await drain()
  const fresh = [...now].map(([to, all]): [string, string[]] => [
    to,
    all.slice(0, all.length - (before.get(to)?.length ?? 0)),
  ])
  return new Map(fresh.filter(([, all]) => all.length > 0))
}

describe('the mails of a ticket', () => {
  it('about the opening go to watchers, assignee and SUPPORT_EMAIL, not to its author', async () => {
    const mails = await since(() => open({ watcher_ids: [member.userId, agent.userId], description: 'Since noon' }))
    expect([...mails.keys()].toSorted()).toEqual([member.email, 'desk@vendor.example'].toSorted())
    expect(mails.get(member.email)?.[0]).toMatch(/SR-\d{8,}: It is slow[^]*opened a ticket[^]*Since noon/)
    const byStaff = await since(() => open({ assignee_id: acme.staff.userId }, acme.staff))
    expect(byStaff.size).toBe(0)
  })
  it('about comments and changes of status go to creator, assignee and watchers, not to their author', async () => {
    const id = await open({ watcher_ids: [member.userId] })
    await acme.staff.patch(`/tickets/${id}`, { assignee_id: acme.staff.userId })
    const replied = await since(() => comment(acme.staff, id, 'Restart it, please'))
    expect([...replied.keys()].toSorted()).toEqual([agent.email, member.email].toSorted())
    expect(replied.get(agent.email)?.[0]).toContain('Restart it, please')
    const asked = await since(() => comment(agent, id, 'Done'))
    expect([...asked.keys()].toSorted()).toEqual([acme.staff.email, member.email].toSorted())
    const moved = await since(() => move(acme.staff, id, 'resolved'))
    expect([...moved.keys()].toSorted()).toEqual([agent.email, member.email].toSorted())
    expect(moved.get(member.email)?.[0]).toContain('Resolved')
  })
  it('are one conversation for mail programs: below one message id, with one subject', async () => {
    const [id, another] = [await open(), await open()]
    await drain()
    const mail = app.service.sandbox?.mail
    const known = new Set((await mail?.list(500))?.map(({ name }) => name))
    await comment(acme.staff, id, 'Restart it, please')
    await move(acme.staff, id, 'resolved')
    await comment(acme.staff, another, 'And this one?')
    await drain()
    const fresh = (await mail?.list(500))?.filter(({ name, to }) => to === agent.email && !known.has(name)) ?? []
    const read = (await Promise.all(fresh.map(async ({ name }) => mail?.read(name)))).flatMap((one) => one ?? [])
    const host = new URL(app.service.ports.settings.publicUrl).hostname
    const of = (ticketId: number) => {
      const first = `<ticket-${acme.id}-${ticketId}@${host}>`
      return read.filter(({ inReplyTo, references }) => inReplyTo === first && references === first)
    }
    // The comment, the resolution with the question whether it helped, and the other comment.
    expect([read.length, of(id).length, of(another).length]).toEqual([4, 3, 1])
    expect(new Set(of(id).map(({ subject }) => subject)).size).toBe(1)
    expect(new Set(read.map(({ messageId }) => messageId)).size).toBe(4)
  })
  it('about internal notes go to staff only', async () => {
    const colleague = app.world.inside(await app.world.user({ roles: ['customer', 'administrator'] }), acme.id)
    const id = await open({ watcher_ids: [member.userId] })
    await acme.staff.post(`/tickets/${id}/watchers`, { user_id: acme.staff.userId })
    const mails = await since(() => comment(colleague, id, 'Between us: a bug', { internal: true }))
    expect([...mails.keys()]).toEqual([acme.staff.email])
  })
  it('do not go to members who have left', async () => {
    const id = await open({ watcher_ids: [member.userId] })
    await app.database.query(`update collaborators set expired_at = $1 where user_id = $2`, [
      app.clock.now,
      member.userId,
    ])
    const mails = await since(() => comment(acme.staff, id, 'Still there?'))
    expect([...mails.keys()]).toEqual([agent.email])
    await app.database.query(`update collaborators set expired_at = null where user_id = $1`, [member.userId])
  })
  it('are in the recipient’s language', async () => {
    await app.database.query(`update users set language = 'pt-BR' where id = $1`, [agent.userId])
    const id = await open()
    const mails = await since(() => comment(acme.staff, id, 'Reinicie'))
    expect(mails.get(agent.email)?.[0]).toContain('escreveu')
  })
})
