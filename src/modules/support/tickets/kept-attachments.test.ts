// Attachments of tickets that are there: who sees them, how they are sent and removed.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { attach, type AttachmentScene, attachmentScene } from '#test/scenes/attachments.ts'

let app: AttachmentScene['app']
let acme: AttachmentScene['acme']
let other: AttachmentScene['other']
let agent: AttachmentScene['agent']
let open: AttachmentScene['open']
let stored: AttachmentScene['stored']
let id: AttachmentScene['id']

beforeAll(async () => {
  ;({ app, acme, other, agent, open, stored, id } = await attachmentScene())
})
afterAll(() => app.close())

describe('GET and DELETE /tickets/{id}/attachments', () => {
  it('200 with internal ones for staff only: list, content, audit log', async () => {
    const { data } = await attach(acme.staff, id, { fileName: 'secret-plan.txt', content: 'x' }, { internal: 'true' })
    expect(data.internal).toBe(true)
    expect((await agent.get(`/tickets/${id}/attachments?per_page=100`)).raw.body).not.toContain('secret-plan')
    expect((await agent.get(`/tickets/${id}/attachments/${data.id}/content`)).status).toBe(404)
    expect((await agent.delete(`/tickets/${id}/attachments/${data.id}`)).status).toBe(404)
    expect((await acme.staff.get(`/tickets/${id}/attachments/${data.id}/content`)).status).toBe(200)
    expect((await acme.owner.get('/audit-log?resource=ticket_attachment&per_page=100')).raw.body).not.toContain(
      'secret-plan',
    )
    await acme.staff.delete(`/tickets/${id}/attachments/${data.id}`)
    expect((await acme.owner.get('/audit-log?resource=ticket_attachment&per_page=100')).raw.body).not.toContain(
      'secret-plan',
    )
  })
  it('never puts the storage key into the audit log and events', async () => {
    const log = await acme.staff.get('/audit-log?resource=ticket_attachment&per_page=100')
    expect(log.raw.body).toContain('"storage_key":"***"')
    expect(log.raw.body).not.toMatch(/"storage_key":"\d/)
    const events = await app.database.query(`select 1 from events where data ? 'storage_key'`)
    expect(events).toEqual([])
  })
  it('200 for a deletion by the uploader or staff; the bytes are removed later', async () => {
    const colleague = await acme.member({ scopes: ['tickets'] })
    await app.service.worker.drain()
    const { data } = await attach(agent, id, { content: 'mine' })
    const before = await stored()
    expect((await colleague.delete(`/tickets/${id}/attachments/${data.id}`)).status).toBe(403)
    expect((await other.owner.delete(`/tickets/${id}/attachments/${data.id}`)).status).toBe(404)
    expect((await agent.delete(`/tickets/${id}/attachments/${data.id}`)).status).toBe(200)
    expect((await agent.delete(`/tickets/${id}/attachments/${data.id}`)).status).toBe(404)
    expect((await agent.get(`/tickets/${id}/attachments/${data.id}/content`)).status).toBe(404)
    await app.service.worker.drain()
    expect(await stored()).toBe(before - 1)
  })
  it('404 for an attachment of another ticket', async () => {
    const { data } = await attach(agent, id, { content: 'here' })
    const elsewhere = await open()
    expect((await agent.get(`/tickets/${elsewhere}/attachments/${data.id}/content`)).status).toBe(404)
    expect((await agent.delete(`/tickets/${elsewhere}/attachments/${data.id}`)).status).toBe(404)
  })
  it('200 for HEAD with the headers of GET', async () => {
    const { data } = await attach(agent, id, { content: 'head' })
    const url = `/api/v1/tickets/${id}/attachments/${data.id}/content`
    const answer = await app.service.app.inject({ method: 'HEAD', url, headers: agent.headers })
    expect(answer.statusCode).toBe(200)
    expect(answer.body).toBe('')
    expect(answer.headers['content-length']).toBe('4')
  })
})
