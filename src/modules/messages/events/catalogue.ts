// The event types that customers can get, made of what the areas publish (kernel/data/published.ts).
import type { TObject } from 'typebox'
import type { Scope } from '#kernel/values/permissions.ts'
import type { StaffScope } from '#kernel/values/staff-roles.ts'
import type { Visibility } from '#kernel/jobs/previewed-records.ts'
import type { PublishedResource } from '#kernel/data/published.ts'

/** The scope of staff who see all that happened. */
const EVERYTHING: StaffScope = 'audit'

export type EventKind = {
  /** `quote.paid` */
  type: string
  resource: string
  /** All of them are needed to see such events. */
  scopes: readonly Scope[]
  description: string
  /** Of `data`. */
  schema: TObject
}

export type Catalogue = {
  readonly published: readonly PublishedResource[]
  readonly kinds: readonly EventKind[]
  /** By the stored type, `titular/quote/paid`; undefined where the type is not published. */
  readonly ofStored: ReadonlyMap<string, { kind: EventKind; of: PublishedResource }>
}

export function createCatalogue(published: readonly PublishedResource[]): Catalogue {
  const ofStored = new Map(
    published.flatMap((of) =>
      Object.entries(of.events).map(([event, description]) => {
        const stored = `titular/${of.table.resource}/${event}`
        const { scopes, schema } = of
        const kind = { type: publicType(stored), resource: of.table.resource, scopes, description, schema }
        return [stored, { kind, of }] as const
      }),
    ),
  )
  return { published, kinds: [...ofStored.values()].map(({ kind }) => kind), ofStored }
}

/**
 * What a preview shows to a customer with these scopes: the fields of the events that the customer will get. Staff see
 * all of a record whose scopes they hold, such as a draft, and kinds that are published to nobody only if they may read
 * everything.
 */
export const visibleTo = ({ published, ofStored }: Catalogue) => {
  const scopesOf = new Map(published.map(({ table, scopes }) => [table.resource, scopes]))
  return (scopes: readonly string[], isStaff: boolean): Visibility =>
    ({ type, resource, data }) => {
      const { kind, of } = ofStored.get(type) ?? {}
      const needed = isStaff ? scopesOf.get(resource) : kind?.scopes
      const isPermitted = scopes.includes('*') || needed?.every((scope) => scopes.includes(scope))
      if (isStaff) return isPermitted || scopes.includes(EVERYTHING) ? 'all' : null
      return kind && of?.isVisible(data) && isPermitted ? Object.keys(kind.schema.properties) : null
    }
}

/** `titular/order/on-hold` → `order.on_hold`: Standard Webhooks allows letters, digits, `_` and `.` only. */
export const publicType = (stored: string): string =>
  stored.slice('titular/'.length).replaceAll('/', '.').replaceAll('-', '_')
