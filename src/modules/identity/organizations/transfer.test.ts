import { describe, expect, it } from 'vitest'
import { appOfFile } from '#test/harness/app.ts'
import type { Organization, Speaker } from '#test/harness/world.ts'

const app = await appOfFile()
const acme = await app.world.organization({ name: 'Acme' })

async function scene() {
  const org = await app.world.organization()
  const heirs = [await org.member(), await org.member({ role: 'admin', scopes: ['organization'] })]
  const { data } = await org.owner.get(`/organizations/${org.id}/collaborators`)
  const idsBy = new Map<number, number>(
    data.map((one: { user_id: number; id: number }) => [one.user_id, one.id] as const),
  )
  return {
    org,
    heirs,
    at: `/organizations/${org.id}/transfer-ownership`,
    idFor: (who?: Speaker) => idsBy.get(who?.userId ?? 0),
  }
}
const owners = (org: Organization) =>
  app.database.query<{ user_id: number }>(
    `select user_id from collaborators where organization_id = $1 and role = 'owner'`,
    [org.id],
  )

describe('POST /organizations/{id}/transfer-ownership', () => {
  it('200 makes the collaborator the owner, and the old owner an admin with every scope', async () => {
    const { org, heirs, at, idFor } = await scene()
    const answer = await org.owner.post(at, { collaborator_id: idFor(heirs[0]) })
    expect([answer.status, answer.data.owner_id]).toEqual([200, heirs[0]?.userId])
    const { data } = await org.owner.get(`/organizations/${org.id}/collaborators/${idFor(org.owner)}`)
    expect(data).toMatchObject({ role: 'admin', can_manage_finances: true, can_manage_entitlements: true })
    expect((await org.owner.delete(`/organizations/${org.id}`)).status).toBe(403)
    expect(await owners(org)).toEqual([{ user_id: heirs[0]?.userId }])
  })
  it('200 for one and 403 for the other when two transfers run at once', async () => {
    const { org, heirs, at, idFor } = await scene()
    const answers = await Promise.all(heirs.map((heir) => org.owner.post(at, { collaborator_id: idFor(heir) })))
    expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 403])
    expect((await owners(org)).length).toBe(1)
  })
  it('403 for admins and staff, 404 for another organization’s collaborator, 409 for one who cannot be the owner', async () => {
    const { org, heirs, at, idFor } = await scene()
    expect((await heirs[1]?.post(at, { collaborator_id: idFor(heirs[1]) }))?.status).toBe(403)
    expect((await org.staff.post(at, { collaborator_id: idFor(heirs[0]) })).status).toBe(403)
    const elsewhere = await acme.owner.get(`/organizations/${acme.id}/collaborators`)
    expect((await org.owner.post(at, { collaborator_id: elsewhere.data[0].id })).status).toBe(404)
    expect((await org.owner.post(at, { collaborator_id: idFor(org.owner) })).status).toBe(409)
    const { data: invite } = await org.owner.post(`/organizations/${org.id}/collaborators`, {
      email: `i${org.id}@example.com`,
    })
    expect((await org.owner.post(at, { collaborator_id: invite.id })).status).toBe(409)
    await org.owner.put(`/organizations/${org.id}/collaborators/${idFor(heirs[0])}`, {
      expired_at: '2020-01-01T00:00:00.000Z',
    })
    expect((await org.owner.post(at, { collaborator_id: idFor(heirs[0]) })).status).toBe(409)
    expect((await org.owner.post(at, {})).status).toBe(422)
  })
})
