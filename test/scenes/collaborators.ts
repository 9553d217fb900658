// What the tests of collaborators have in common.
import type { TestApp } from '#test/harness/app.ts'
import type { Organization, Speaker } from '#test/harness/world.ts'

export const at = (org: Organization, id?: number): string =>
  `/organizations/${org.id}/collaborators${id === undefined ? '' : `/${id}`}`

let next = 0
export const address = (): string => `invited-${++next}@example.com`

export async function idOf(app: TestApp, org: Organization, who: Speaker): Promise<number> {
  const [row] = await app.database.query<{ id: number }>(
    `select id from collaborators where organization_id = $1 and user_id = $2`,
    [org.id, who.userId],
  )
  return row?.id ?? 0
}

export const admin = (org: Organization) => org.member({ role: 'admin', scopes: ['organization', 'quotes'] })
