// A kind of record as `expand` needs it (expand.ts): declared by its area, named by the relations of others.
import { type TObject, Type } from 'typebox'
import type { Ports } from './context.ts'
import type { OfOrganizations } from '#kernel/data/lists/of-organizations.ts'
import { Id, Name } from '#kernel/values/schema.ts'
import { raw, sql, type Statement } from '#kernel/values/sql.ts'

type RecordContext = { of: OfOrganizations; now: Date; ports: Ports }

/** `order_id` and `entitlement_ids` name records of the kind; so does `entitlements.id`, in each item of a list. */
export type Relation =
  | { readonly kind: string; readonly by: string }
  | { readonly named: NameSource; readonly by: string }

/** What belongs to no organization, such as a person: no more than its name, for staff alone. */
export type NameSource = { readonly schema: TObject; readonly rows: (ids: readonly number[]) => Statement }

export type RecordKind = {
  readonly name: string
  /** What is answered of a record that was expanded. */
  readonly schema: TObject
  /** By the name that clients give in `expand`. */
  readonly relations: Readonly<Record<string, Relation>>
  /** Those of the ids that are there, in any order. Without it, no relation leads to the kind. */
  readonly rows?: (context: RecordContext, ids: readonly number[]) => Statement
}

/** The rows of a table whose columns are the fields of the schema. */
export const rowsOf =
  (table: string, { properties }: TObject) =>
  ({ of }: RecordContext, ids: readonly number[]): Statement =>
    sql`select ${raw(Object.keys(properties).join(', '))} from ${raw(table)}
      where ${of('organization_id')} and id = any(${ids}::bigint[])`

/** The relation that every record of an organization has. */
export const OF_ORGANIZATION = { organization: { kind: 'organization', by: 'organization_id' } } as const

const IdAndName = Type.Object({ id: Id, name: Name })
const namedIn = (table: 'users' | 'teams'): NameSource => ({
  schema: IdAndName,
  rows: (ids) => sql`select id, name from ${raw(table)} where id = any(${ids}::bigint[])`,
})
export const PERSON = namedIn('users')
export const TEAM = namedIn('teams')
