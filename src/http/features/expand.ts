// `expand=order,order.quote`: the records that a record names, in the same answer. Each relation costs one statement
// for all records of the answer, those of a hop in one round trip, and only for callers who may read the relation's own
// endpoint.
import { settingNow } from '#ports/settings-in-force.ts'
import { type TSchema, Type } from 'typebox'
import type { AccessDecision } from '#kernel/access/access-decision.ts'
import { type Access, staffScopesOf, weightOf } from '#kernel/values/permissions.ts'
import type { Statement } from '#kernel/values/sql.ts'
import { Closed } from '#kernel/values/schema.ts'
import { forbidden, invalid } from '#kernel/values/errors.ts'
import type { Fields } from '#kernel/values/validation/problems.ts'
import { ofOrganization, ofOrganizations } from '#kernel/data/lists/of-organizations.ts'
import type { NameSource, RecordKind, Relation } from '#kernel/data/record-kind.ts'
import { roleOf, withAccess } from '#http/access.ts'
import type { AuthenticatedContext } from '#http/request-context.ts'
import type { Route } from '#http/route.ts'
import { listedOf } from '#http/serialize.ts'
import { namesIn, propertiesOf } from './sparse-fields.ts'

const MOST_HOPS = 2
const MOST_NAMED = 10
const MOST_RECORDS = 1000

/** A relation that a request may name, with the route that says who may read what it leads to. */
type Step = { relation: Relation; kind: RecordKind | NameSource; access: OfMembers | 'staff'; steps: Steps }
type OfMembers = Extract<Access, { kind: 'organization' }>
type Steps = ReadonlyMap<string, Step>
type Expansion = { steps: Steps; names: readonly string[] }

/** For the query of a GET whose records have relations. */
export function withExpand(query: TSchema | undefined, kind: RecordKind | undefined): TSchema | undefined {
  const names = Object.keys(kind?.relations ?? {})
  if (names.length === 0) return query
  const expand = Type.String({
    maxLength: 500,
    description:
      `Related records, by comma, which come in \`expanded\` of each record: ${names.join(', ')}; and ` +
      `theirs, such as \`order.quote\``,
    examples: [names[0] ?? ''],
  })
  return Closed({ ...propertiesOf(query), expand: Type.Optional(expand) })
}

/** What a GET may be asked to expand; null where its records have no relations. */
export function expansionOf({ features: { record } }: Route, routes: readonly Route[]): Expansion | null {
  if (!record || Object.keys(record.relations).length === 0) return null
  const steps = stepsOf(record, routes, MOST_HOPS)
  return { steps, names: namesOf(steps) }
}

function stepsOf({ relations }: RecordKind, routes: readonly Route[], hops: number): Steps {
  if (hops === 0) return new Map()
  return new Map(
    Object.entries(relations).map(([name, relation]): [string, Step] => {
      if ('named' in relation) return [name, { relation, kind: relation.named, access: 'staff', steps: new Map() }]
      const own = routes.find(({ features, path }) => features.record?.name === relation.kind && path.endsWith('/{id}'))
      const kind = own?.features.record
      // Of a route for staff alone nothing would be asked of members.
      if (own?.access.kind !== 'organization' || !kind?.rows)
        throw new Error(`${relation.kind} is no record of members to which a relation can lead`)
      return [name, { relation, kind, access: own.access, steps: stepsOf(kind, routes, hops - 1) }]
    }),
  )
}

const namesOf = (steps: Steps): string[] =>
  [...steps].flatMap(([name, step]) => [name, ...namesOf(step.steps).map((next) => `${name}.${next}`)])

const asked = (expand: unknown): string[] => [...new Set(namesIn(expand))]

export function expandProblems(
  expansion: Expansion | null | undefined,
  { expand }: { expand?: unknown },
): Fields | null {
  if (expand === undefined || !expansion) return null
  const names = asked(expand)
  const unknown = names.find((name) => !expansion.names.includes(name))
  if (unknown !== undefined)
    return {
      expand: `the record has no relation ${unknown}; it has ${[...expansion.steps.keys()].join(', ')}, and theirs`,
    }
  return names.length > MOST_NAMED ? { expand: `must name at most ${MOST_NAMED} relations` } : null
}

type Item = Record<string, unknown>
type Expanding = { context: AuthenticatedContext; decision: AccessDecision }

/** The data of an answer, with `expanded` in each record. */
export async function expandedData(expanding: Expanding, expansion: Expansion, data: unknown): Promise<unknown> {
  const names = asked(expanding.context.request.query['expand'])
  if (names.some((name) => expansion.steps.get(name)?.access !== 'staff')) await assertMayEnter(expanding)
  const records = [data].flat() as Item[]
  const found = await relatedTo(expanding, expansion.steps, names, records)
  const all = records.map((record, index) => ({ ...record, expanded: found[index] }))
  return Array.isArray(data) ? all : all[0]
}

/** `expanded` of each record. */
async function relatedTo(expanding: Expanding, steps: Steps, names: string[], records: Item[]): Promise<Item[]> {
  const wanted = [...steps].filter(([name]) => names.some((one) => one === name || one.startsWith(`${name}.`)))
  for (const [name, { access }] of wanted) assertMayRead(expanding.decision, access, name)
  const reached = wanted.map(([, step]) => step)
  const rows = await readRelated(expanding, reached, records)
  const expanded: Item[] = records.map(() => ({}))
  for (const [index, [name, step]] of wanted.entries()) {
    const further = names.filter((one) => one.startsWith(`${name}.`)).map((one) => one.slice(name.length + 1))
    const listed = (rows[index] ?? []).map(listedOf(step.kind.schema)) as Item[]
    // oxlint-disable-next-line no-await-in-loop -- of ten relations at most
    const next = further.length > 0 ? await relatedTo(expanding, step.steps, further, listed) : []
    const placeOf = (record: Item, id: number) => (step.access === 'staff' ? id : `${ownerOf(expanding, record)} ${id}`)
    const byId = new Map(
      listed.map((row, at) => [placeOf(row, Number(row['id'])), next[at] ? { ...row, expanded: next[at] } : row]),
    )
    for (const [at, record] of records.entries()) {
      const ids = idsIn(record, step.relation.by)
      const related = ids.map((id) => byId.get(placeOf(record, id))).filter((one) => one !== undefined)
      Object.assign(expanded[at] ?? {}, { [name]: isList(step.relation) ? related : (related[0] ?? null) })
    }
  }
  return expanded
}

/** The organization of a record; of the organization itself, its id. */
const ownerOf = ({ decision }: Expanding, { organization_id, id }: Item): number =>
  decision.organizationId ?? Number(organization_id ?? id)

/** One round trip for all relations of a hop. */
async function readRelated(expanding: Expanding, steps: Step[], records: Item[]): Promise<unknown[][]> {
  const { context, decision } = expanding
  const { engine, accessRequest, now } = context
  const { organizationId } = decision
  const of =
    organizationId === null
      ? ofOrganizations([...new Set(records.map((record) => ownerOf(expanding, record)))])
      : ofOrganization(organizationId)
  const recordContext = { of, now: decision.testClock ?? now, ports: engine.ports }
  const statements = steps.flatMap(({ kind, relation }): Statement[] => {
    const ids = [...new Set(records.flatMap((record) => idsIn(record, relation.by)))]
    if (ids.length > MOST_RECORDS)
      throw invalid({ expand: `leads to more than ${MOST_RECORDS} records; ask for fewer at once` })
    if ('relations' in kind) return kind.rows ? [kind.rows(recordContext, ids)] : []
    return [kind.rows(ids)]
  })
  const read = (access: Statement) => engine.database.read(roleOf(accessRequest), [access, ...statements])
  return (await withAccess(context, read)).results
}

const isList = ({ by }: Relation): boolean => by.endsWith('_ids') || by.includes('.')

/** The ids that a record names. */
function idsIn(record: Item, by: string): number[] {
  const [field = '', inner] = by.split('.')
  const value = record[field]
  const named: unknown[] =
    inner === undefined ? [value].flat() : [value].flat().map((one) => (one as Item | null)?.[inner])
  return named.filter((id) => typeof id === 'number')
}

/** The related record's own endpoint is inside of its organization, which people may have to enter with a reason. */
async function assertMayEnter({ context, decision }: Expanding): Promise<void> {
  const isOutside = decision.organizationId === null && decision.caller.kind === 'user'
  if (isOutside && (await settingNow(context.engine, 'staff_entry')) === 'reason')
    throw forbidden(
      'entry_needed',
      'expand reads inside of organizations: enter one with a reason, and read its own list',
    )
}

/** 403 as the endpoint of the related record would give it. */
function assertMayRead({ caller, role, scopes }: AccessDecision, access: Step['access'], name: string): void {
  if (access === 'staff') {
    if (!caller.staff) throw forbidden('role_too_low', `The role does not allow expand=${name}`)
    return
  }
  const needed = caller.staff ? (staffScopesOf(access) ?? []) : access.scopes
  if (needed === 'none') throw forbidden('role_too_low', `The role does not allow expand=${name}`)
  const missing = needed.find((scope) => !scopes.includes('*') && !scopes.includes(scope))
  if (missing !== undefined)
    throw forbidden('scope_missing', `Scope not authorized: ${missing}, which expand=${name} needs`)
  if (!caller.staff && weightOf(role) < weightOf(access.atLeast))
    throw forbidden('role_too_low', `The role does not allow expand=${name}`)
}
