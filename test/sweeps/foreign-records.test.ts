// For every route that takes an id: a caller learns nothing of the records of another organization, not even
// whether they exist.
import { describe, expect, it } from 'vitest'
import { routes } from '../../src/modules.ts'
import { pathNamesOrganization } from '#kernel/values/permissions.ts'
import { rolesWith, STAFF_ROLE_NAMES, type StaffRoleName } from '#kernel/values/staff-roles.ts'
import type { Route } from '#http/route.ts'
import { appOfFile } from '#test/harness/app.ts'
import { multipart } from '#test/harness/multipart.ts'
import { createRecords, type Records } from '#test/scenes/records.ts'
import type { Answer, Speaker } from '#test/harness/world.ts'
import { neededOfStaff } from './access-matrix.ts'

/** In the other organization. */

const app = await appOfFile()
const acme = await app.world.organization()
const other = await app.world.organization()
const records: Records = await createRecords(app, acme)
const staffOf: Partial<Record<StaffRoleName, Speaker>> = Object.fromEntries(
  await Promise.all(STAFF_ROLE_NAMES.map(async (role) => [role, await other.staffAs(role)] as const)),
)

describe('routes that take an id', () => {
  const withIds = routes.filter(
    ({ path, access }) => path.includes('{') && (access.kind === 'organization' || access.kind === 'staff'),
  )

  it('each parameter has a record to test with (test/scenes/records.ts)', () => {
    const wanted = withIds.flatMap(({ path }) => parametersOf(path).map(({ segment }) => segment))
    expect([...new Set(wanted)].filter((segment) => records[segment] === undefined)).toEqual([])
  })
  it('200 for each record in its own organization', async () => {
    const lost: string[] = []
    for (const route of withIds.filter(({ method }) => method === 'GET')) {
      const speaker = route.access.kind === 'staff' ? acme.staff : acme.owner
      const problem = await ask(speaker, route, filled(route.path, records)).then(
        ({ status, message }) => (status === 200 ? null : `${status} (${message})`),
        (error: Error) => error.message,
      )
      if (problem !== null) lost.push(`${route.path}: ${problem}`)
    }
    expect(lost, lost.join('\n')).toEqual([])
  })
  it('the same answer for an id of another organization as for one that does not exist', async () => {
    const leaks: string[] = []
    for (const route of withIds) {
      for (const speaker of speakersFor(route)) {
        const isNamed = pathNamesOrganization(route.path)
        // Below the caller's own organization the second id is foreign; else the organization's id is not the header's.
        const own: Records = isNamed && parametersOf(route.path).length > 1 ? { organizations: other.id } : {}
        const absent = outward(await ask(speaker, route, filled(route.path, own)))
        const foreign = outward(await ask(speaker, route, filled(route.path, { ...records, ...own })))
        const about = `${route.method} ${route.path}`
        if (absent.status !== (isNamed && own['organizations'] === undefined ? 400 : 404))
          leaks.push(`${about}: an absent id answers ${absent.status} ${absent.body}`)
        if (JSON.stringify(absent) !== JSON.stringify(foreign))
          leaks.push(`${about}: ${JSON.stringify(foreign)} instead of ${JSON.stringify(absent)}`)
      }
    }
    expect(leaks, leaks.join('\n')).toEqual([])
  })
  it('the other organization is unchanged', async () => {
    const [row] = await app.database.query<{ n: number }>(
      `select count(*)::int as n from audit_log where organization_id = $1 and request_id <> 'test'
        and action <> 'staff_entry'`,
      [acme.id],
    )
    expect(row?.n).toBe(0)
  })
})

/** Records of the vendor, which staff see and change in every organization (docs/decisions/0038). */
const VENDORS = ['downloads']

/** The owner, and staff with each role that allows the route. */
function speakersFor({ path, access, method }: Route): Speaker[] {
  const needed = neededOfStaff({ access, method })
  const isClosed = needed === 'none' || VENDORS.includes(path.split('/')[1] ?? '')
  const staff = isClosed ? [] : rolesWith(needed).flatMap((role) => staffOf[role] ?? [])
  return access.kind === 'staff' ? staff : [other.owner, ...staff]
}

type Parameter = { name: string; segment: string }

/** `/organizations/{id}/collaborators/{collaborator_id}`: the segment before each parameter names its record. */
function parametersOf(path: string): Parameter[] {
  const parts = path.split('/')
  return parts.flatMap((part, index) => (part.startsWith('{') ? [{ name: part, segment: parts[index - 1] ?? '' }] : []))
}

const ABSENT: Records = { code: 'PLG-1999010001' }

const filled = (path: string, given: Records): string =>
  parametersOf(path).reduce(
    (result, { name, segment }) => result.replace(name, String(given[segment] ?? ABSENT[segment] ?? 999_999_999)),
    path,
  )

/** Sends a valid body, or the answer would be about the body. */
function ask(speaker: Speaker, route: Route, path: string): Promise<Answer> {
  const { method } = route
  if (method === 'GET') return speaker.get(path)
  if (method === 'DELETE') return speaker.delete(path)
  if (route.features.upload) {
    const { body, headers } = multipart({ content: 'text' })
    return speaker.post(path, body, headers)
  }
  const example = route.openapi.example === undefined ? undefined : JSON.parse(JSON.stringify(route.openapi.example))
  if (example && 'organization_id' in example)
    example.organization_id = Number(speaker.headers['x-service-organization'])
  const verb = method === 'POST' ? speaker.post : method === 'PUT' ? speaker.put : speaker.patch
  return verb(path, example)
}

/** The parts of an answer that a client could compare, without those that always differ. */
function outward({ status, raw, headers }: Answer) {
  const kept = Object.entries(headers).filter(([name]) => !/^(x-request-id|date|ratelimit.*)$/.test(name))
  return {
    status,
    body: raw.body,
    headers: Object.fromEntries(kept.toSorted(([one], [two]) => one.localeCompare(two))),
  }
}
