// Imports of tickets of another system: with their times, without mails, and without promises.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Speaker } from '#test/harness/world.ts'
import { errorsOf, imported, importScene, outcomes, type ImportScene } from '#test/scenes/imports.ts'

let at: ImportScene
let inside: Speaker
beforeAll(async () => {
  at = await importScene()
  inside = at.app.world.inside(at.staff, at.acme.id)
})
afterAll(() => at.app.close())

const tickets = () => at.app.database.query('select id from tickets')

describe('tickets', () => {
  it('keep their status and their times, and nobody is mailed', async () => {
    const { data: team } = await at.staff.post('/admin/teams', { name: 'First level', default_for: ['none'] })
    const sold = { class: 'ENV', product_name: 'Hosting', company: 'entity_br', external_id: 'hosting' }
    await imported(at.app, at.staff, { kind: 'entitlements' }, [{ ...sold, organization_id: at.acme.id }])
    await at.app.service.worker.drain()
    const mails = await at.app.database.query('select id from mails')
    const ticket = { organization_id: at.acme.id, title: 'Slow "mail" 😀', created_at: '2020-03-01T10:00:00.000Z' }
    const lines = [
      {
        ...ticket,
        external_id: 't1',
        entitlement_external_id: 'hosting',
        priority: 'high',
        description: 'Since Monday',
      },
      { ...ticket, external_id: 't2', status: 'closed', closed_at: '2020-03-05T10:00:00.000Z' },
      { ...ticket, external_id: 't3', status: 'resolved' },
      { ...ticket, external_id: 't4', closed_at: '2020-03-05T10:00:00.000Z' },
      { ...ticket, external_id: 't5', status: 'closed', closed_at: '2020-02-05T10:00:00.000Z' },
      { ...ticket, external_id: 't6', created_at: '2999-01-01T10:00:00.000Z' },
      { ...ticket, external_id: 't7', organization_id: at.id, entitlement_external_id: 'hosting' },
      { ...ticket, external_id: 't8', organization_id: at.id, entitlement_id: 1 },
      { ...ticket, external_id: 't9', status: 'lost', title: '' },
      { ...ticket, external_id: 't1' },
    ]
    const dry = await imported(at.app, at.staff, { kind: 'tickets', dry_run: 'true' }, lines)
    expect(await tickets()).toEqual([])
    const done = await imported(at.app, at.staff, { kind: 'tickets' }, lines)
    expect(errorsOf(done)).toEqual([
      null,
      null,
      null,
      { closed_at: 'is for a ticket that is closed' },
      { closed_at: 'must not lie before created_at' },
      { created_at: 'must not lie in the future' },
      { entitlement_external_id: 'names nothing that was imported from this source' },
      { row: expect.any(String) },
      { status: expect.any(String), title: expect.any(String) },
      { external_id: 'is that of line 1' },
    ])
    expect(errorsOf(dry)).toEqual(errorsOf(done))
    const ticketOf = async (nth: number) => (await inside.get(`/tickets/${done.lines[nth].resource_id}`)).data
    const common = { created_at: ticket.created_at, created_by: null, team_id: null, next_due_at: null }
    expect(await ticketOf(0)).toMatchObject({
      ...common,
      number: expect.stringMatching(/^SR-/),
      status: 'open',
      priority: 'high',
      entitlement_code: expect.stringMatching(/^ENV-/),
      description: 'Since Monday',
    })
    expect(await ticketOf(1)).toMatchObject({ ...common, status: 'closed', closed_at: '2020-03-05T10:00:00.000Z' })
    expect(await ticketOf(2)).toMatchObject({ ...common, status: 'resolved', resolved_at: expect.any(String) })
    expect(await at.app.database.query('select id from mails')).toEqual(mails)
    expect(team.id).toEqual(expect.any(Number))
    const again = await imported(at.app, at.staff, { kind: 'tickets' }, lines)
    expect(outcomes(again).slice(0, 3)).toEqual(['unchanged', 'unchanged', 'unchanged'])
    // Work goes on here.
    const moved = await inside.post(`/tickets/${done.lines[0].resource_id}/status`, { status: 'in_progress' })
    expect(moved).toMatchObject({ status: 200, data: { status: 'in_progress' } })
  })
  it('have the days of a CSV in the time zone of the legal entity', async () => {
    const head = 'external_id,organization_id,title,created_at,status,closed_at'
    const file = `${head}\nd1,${at.id},Day,2020-03-01,closed,2020-03-01\n`
    const done = await imported(at.app, at.staff, { kind: 'tickets' }, file)
    expect((await at.inside.get(`/tickets/${done.lines[0].resource_id}`)).data).toMatchObject({
      created_at: '2020-03-01T03:00:00.000Z',
      closed_at: '2020-03-01T15:00:00.000Z',
    })
  })
})
