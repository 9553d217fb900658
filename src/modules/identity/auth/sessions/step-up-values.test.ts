// Acts that need a recent proof for some values only: each such route with each field of its body, and each value of the field.
import { describe, expect, it } from 'vitest'
import { routes } from '../../../../modules.ts'
import type { Route } from '#http/route.ts'
import { isDangerous } from '#http/features/step-up.ts'
import { appOfFile } from '#test/harness/app.ts'

/** What needs the proof. A new field or value must be added here deliberately, or is no dangerous one. */
const DANGEROUS: Record<string, string[]> = {
  'POST /admin/imports': ['kind: "members"'],
  'POST /organizations/{id}/collaborators': ['role: "admin"', 'role: "owner"'],
  'PUT /auth/me': ['email', 'password'],
  'PUT /organizations/{id}': ['require_mfa: false', 'require_mfa: true'],
  'PUT /organizations/{id}/collaborators/{collaborator_id}': ['role: "admin"', 'role: "owner"'],
}

const app = await appOfFile({ environment: { STEP_UP_MINUTES: '15' } })
const acme = await app.world.organization()

type Field = { enum?: unknown[]; type?: string; examples?: unknown[] }
const valuesOf = ({ enum: listed, type }: Field): unknown[] => listed ?? (type === 'boolean' ? [false, true] : [])

/** One body for each field and value; fields with any value have one without it in the name. */
function bodiesOf({ body }: Route): [string, Record<string, unknown>][] {
  const { properties = {} } = (body ?? {}) as { properties?: Record<string, Field> }
  return Object.entries(properties).flatMap(([name, field]): [string, Record<string, unknown>][] => {
    const values = valuesOf(field)
    if (values.length === 0) return [[name, { [name]: field.examples?.[0] ?? 'x' }]]
    return values.map((value) => [`${name}: ${JSON.stringify(value)}`, { [name]: value }])
  })
}

const byValue = routes.filter(({ features: { stepUp } }) => typeof stepUp === 'function')

describe('a step-up that depends on a value', () => {
  it('is asked for by these values, and by no others', () => {
    const found = byValue.map((route) => [
      `${route.method} ${route.path}`,
      bodiesOf(route)
        .filter(([, body]) => isDangerous(route, body))
        .map(([name]) => name)
        .toSorted(),
    ])
    expect(Object.fromEntries(found)).toEqual(DANGEROUS)
  })
  it('403 for each of them with an old session, before anything is changed', async () => {
    const { data } = await acme.owner.post(`/organizations/${acme.id}/collaborators`, { email: 'bia@acme.example' })
    await app.database.query(`update sessions set authenticated_at = '2020-01-01'`)
    const inside = byValue.filter(({ path }) => path.startsWith('/organizations/{id}'))
    for (const route of inside) {
      const path = route.path.replace('{id}', String(acme.id)).replace('{collaborator_id}', String(data.id))
      for (const [name, value] of bodiesOf(route)) {
        if (!DANGEROUS[`${route.method} ${route.path}`]?.includes(name)) continue
        const body = { ...value, ...(route.method === 'POST' && { email: 'eva@acme.example' }) }
        const answer = await (route.method === 'POST' ? acme.owner.post(path, body) : acme.owner.put(path, body))
        expect([name, answer.status, answer.errors?.reason]).toEqual([name, 403, 'step_up_required'])
      }
    }
    const kept = await app.database.query<{ email: string }>(
      `select email from collaborators where organization_id = $1 and role = 'pending'`,
      [acme.id],
    )
    expect(kept).toEqual([{ email: 'bia@acme.example' }])
  })
})
