// Imports of members, who are told when staff say so.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { mailsTo } from '#test/harness/mailbox.ts'
import { errorsOf, imported, type ImportScene, importScene, outcomes } from '#test/scenes/imports.ts'

let at: ImportScene
beforeAll(async () => void (at = await importScene()))
afterAll(() => at.app.close())

describe('members', () => {
  const member = { organization_external_id: '1', role: 'member', can_manage_quotes: true }
  it('are there without being told, and are told by POST /admin/imports/{id}/invite, once', async () => {
    const lines = [
      { ...member, external_id: 'm1', email: 'bia@norte.example' },
      { ...member, external_id: 'm2', email: 'caio@norte.example', role: 'owner' },
      { ...member, external_id: 'm3', email: 'BIA@norte.example' },
      { ...member, external_id: 'm4', email: 'dora@norte.example', organization_external_id: '99' },
      {
        ...member,
        external_id: 'm5',
        email: 'ed@norte.example',
        started_at: '2027-01-02T00:00:00.000Z',
        expired_at: '2027-01-01T00:00:00.000Z',
      },
      { ...member, external_id: 'm6', email: 'zoe@norte.example' },
    ]
    const done = await imported(at.app, at.staff, { kind: 'members' }, lines)
    expect(outcomes(done)).toEqual(['created', 'created', 'refused', 'refused', 'refused', 'created'])
    expect(done.lines[2].errors).toEqual({ email: 'is that of line 1' })
    expect(done.lines[3].errors).toEqual({
      organization_external_id: 'names nothing that was imported from this source',
    })
    expect(done.lines[4].errors).toEqual({ expired_at: 'must lie after started_at' })
    const list = () => at.inside.get(`/organizations/${at.id}/collaborators`)
    const first = await at.inside.get(`/organizations/${at.id}/collaborators/${done.lines[0].resource_id}`)
    expect(first.data).toMatchObject({
      email: 'bia@norte.example',
      role: 'pending',
      invited_role: 'member',
      status: 'not_invited',
      invite_status: null,
      can_manage_quotes: true,
      parent_user_id: at.staff.userId,
    })
    const bia = await at.app.world.user({ email: 'bia@norte.example', status: 'ACTIVE' })
    expect((await bia.get('/invites')).data).toEqual([])
    for (const email of ['bia@norte.example', 'caio@norte.example']) expect(await mailsTo(at.app, email)).toEqual([])
    expect((await list()).data.map(({ status }: { status: string }) => status)).toEqual(Array(3).fill('not_invited'))

    await at.inside.delete(`/organizations/${at.id}/collaborators/${done.lines[5].resource_id}`)
    const told = await at.staff.post(`/admin/imports/${done.id}/invite`)
    expect(told).toMatchObject({ status: 202, data: { invites: 'sending', invited: 0 } })
    expect((await at.staff.post(`/admin/imports/${done.id}/invite`)).status).toBe(409)
    for (const email of ['bia@norte.example', 'caio@norte.example'])
      expect(await mailsTo(at.app, email)).toHaveLength(1)
    expect((await at.staff.get(`/admin/imports/${done.id}`)).data).toMatchObject({ invites: 'sent', invited: 2 })
    expect((await list()).data.map(({ status }: { status: string }) => status)).toEqual(['invited', 'invited'])
    expect((await bia.get('/invites')).data).toHaveLength(1)

    expect((await at.staff.post(`/admin/imports/${done.id}/invite`)).status).toBe(202)
    await at.app.service.worker.drain()
    for (const email of ['bia@norte.example', 'zoe@norte.example'])
      expect(await mailsTo(at.app, email)).toHaveLength(email.startsWith('bia') ? 1 : 0)
    expect((await at.staff.get(`/admin/imports/${done.id}`)).data).toMatchObject({ invites: 'sent', invited: 2 })
  })
  it('are invited in the name of whoever asks for it, as long as they may', async () => {
    const lines = ['x', 'y', 'z'].map((name) => ({ ...member, external_id: name, email: `${name}@norte.example` }))
    const done = await imported(at.app, at.staff, { kind: 'members' }, lines)
    const rita = await at.acme.staffAs('sales', 'operations', 'finance')
    const speaker = at.app.world.speaker({ authorization: rita.headers['authorization'] ?? '' }, rita)
    const invite = (by: typeof speaker) => by.post(`/admin/imports/${done.id}/invite`)
    expect((await invite(speaker)).status).toBe(202)
    await at.staff.put(`/admin/staff/${rita.userId}`, { roles: ['finance'], reason: 'Moved' })
    await at.app.service.worker.drain()
    const view = async () => (await at.staff.get(`/admin/imports/${done.id}`)).data
    expect(await view()).toMatchObject({ invites: 'sent', invited: 0 })
    await at.staff.put(`/admin/staff/${rita.userId}`, { roles: ['sales', 'operations', 'finance'], reason: 'Back' })
    await invite(speaker)
    await at.app.service.worker.drain()
    expect(await view()).toMatchObject({ invites: 'sent', invited: 3 })
    const actors = await at.app.database.query(
      `select distinct actor_id from audit_log where resource = 'collaborator' and action = 'invited' and actor_id = $1`,
      [rita.userId],
    )
    expect(actors).toHaveLength(1)
  })
  it('are refused with flags beside a named role, and as owners with an end, as by the API', async () => {
    const { data } = await at.inside.post('/roles', { name: 'Sales', scopes: ['quotes'] })
    const owner = { organization_external_id: '2', role: 'owner', expired_at: '2030-01-01T00:00:00.000Z' }
    const done = await imported(at.app, at.staff, { kind: 'members' }, [
      { ...member, external_id: 'r1', email: 'r1@norte.example', named_role_id: data.id },
      { ...owner, external_id: 'r2', email: 'r2@sul.example' },
    ])
    expect(errorsOf(done)).toEqual([
      { can_manage_quotes: 'is given together with named_role_id' },
      { expired_at: 'must be null for an owner' },
    ])
  })
  it('are not told of an access that is over', async () => {
    const lines = [
      { ...member, external_id: 'p1', email: 'past@norte.example', expired_at: '2020-01-01T00:00:00.000Z' },
      { ...member, external_id: 'p2', email: 'present@norte.example' },
    ]
    const done = await imported(at.app, at.staff, { kind: 'members' }, lines)
    expect(outcomes(done)).toEqual(['created', 'created'])
    await at.staff.post(`/admin/imports/${done.id}/invite`)
    await at.app.service.worker.drain()
    expect(await mailsTo(at.app, 'past@norte.example')).toEqual([])
    expect(await mailsTo(at.app, 'present@norte.example')).toHaveLength(1)
    expect((await at.staff.get(`/admin/imports/${done.id}`)).data).toMatchObject({ invites: 'sent', invited: 1 })
  })
  it('may be invited one by one, too', async () => {
    const lines = [{ ...member, external_id: 'm9', email: 'fay@norte.example' }]
    const [{ resource_id }] = (await imported(at.app, at.staff, { kind: 'members' }, lines)).lines
    const sent = await at.inside.post(`/organizations/${at.id}/collaborators/${resource_id}/resend-invite`)
    expect(sent.data).toMatchObject({ status: 'invited', invite_status: 'pending' })
    expect(await mailsTo(at.app, 'fay@norte.example')).toHaveLength(1)
  })
  it('are told some at a time', async () => {
    const lines = Array.from({ length: 60 }, (_, nth) => ({
      ...member,
      external_id: `t${nth}`,
      email: `t${nth}@sul.example`,
      organization_external_id: '2',
    }))
    const { id: importId } = await imported(at.app, at.staff, { kind: 'members' }, lines)
    await at.staff.post(`/admin/imports/${importId}/invite`)
    await at.app.service.worker.drain()
    expect((await at.staff.get(`/admin/imports/${importId}`)).data).toMatchObject({ invites: 'sending', invited: 50 })
    at.app.clock.advance(31)
    await at.app.service.worker.drain()
    expect((await at.staff.get(`/admin/imports/${importId}`)).data).toMatchObject({ invites: 'sent', invited: 60 })
  })
  it('409 for an import of something else, for a dry run, and before the end', async () => {
    const dry = await imported(at.app, at.staff, { kind: 'members', dry_run: 'true' }, [
      { ...member, external_id: 'm7', email: 'gil@norte.example' },
    ])
    const others = await imported(at.app, at.staff, { kind: 'organizations' }, 'external_id,name\n')
    for (const one of [dry, others]) expect((await at.staff.post(`/admin/imports/${one.id}/invite`)).status).toBe(409)
    expect((await at.staff.post('/admin/imports/999999/invite')).status).toBe(404)
  })
})

describe('a member who was not told', () => {
  it('waits as long as it takes', async () => {
    await imported(at.app, at.staff, { kind: 'members' }, [
      { external_id: 'late', organization_external_id: '1', email: 'late@norte.example' },
    ])
    at.app.clock.advance(30 * 86_400)
    await at.app.service.worker.drain()
    const [late] = await at.app.database.query(
      `select role, invite_status from collaborators where email like 'late@%'`,
    )
    expect(late).toEqual({ role: 'pending', invite_status: null })
  })
})
