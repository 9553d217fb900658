// A kind of lines: what a line has, which records it names that came before, and how it becomes a record. The type of
// its values stays inside of the kind.
import { Type, type Static, type TObject, type TSchema } from 'typebox'
import type { IoContext, OrganizationContext, SystemContext } from '#kernel/data/context.ts'
import type { Fields } from '#kernel/values/validation/problems.ts'
import type { Rules } from '#http/route.ts'
import { compileRead, type ReadResult } from '#kernel/values/validation/validation.ts'
import { Closed, Id } from '#kernel/values/schema.ts'
import type { StaffScope } from '#kernel/values/staff-roles.ts'
import { ExternalId } from './import.ts'
import type { Living } from './queries.ts'

const Identified = Closed({ external_id: ExternalId })
/** A record is named by its id in the system that it comes from, or by ours. */
const OfOrganization = Closed({
  ...Identified.properties,
  organization_external_id: Type.Optional(ExternalId),
  organization_id: Type.Optional(Id),
})
const OfEntitlement = Closed({
  ...OfOrganization.properties,
  entitlement_external_id: Type.Optional(ExternalId),
  entitlement_id: Type.Optional(Id),
})
const OfInvoice = Closed({
  ...OfOrganization.properties,
  invoice_external_id: Type.Optional(ExternalId),
  invoice_id: Type.Optional(Id),
})
export type References = Static<typeof OfEntitlement> & Static<typeof OfInvoice>

const NAMES = {
  none: Identified,
  organization: OfOrganization,
  entitlement: OfEntitlement,
  optional_entitlement: OfEntitlement,
  invoice: OfInvoice,
} as const
/** What a line names besides itself; a record of an organization with it. */
export type Names = keyof typeof NAMES

/** Outside of transactions; `inside` is bound to the organization. A dry run takes no codes. */
type Preparing = { io: IoContext; inside: IoContext; dryRun: boolean }
type Writing<Body, Prepared> = { body: Body; named: RecordIds; prepared: Prepared }

/** The ids of the records that a line names; null without one. */
export type RecordIds = { entitlementId: number | null; invoiceId: number | null }
/** Writes the record, and gives its id. */
export type Create = (ctx: OrganizationContext, named: RecordIds) => Promise<number>
/** Opens an organization, and gives the context of its transaction. */
export type Open = (ctx: SystemContext) => Promise<OrganizationContext>
/** Writes a record of no organization, and gives its id. */
export type Add = (ctx: SystemContext) => Promise<number>

/** What no other record may have: in the organization, or, without one, in the whole service. */
export type Unique = { field: string; value: string; isOfOrganization: boolean }

/** A line that fits its kind. */
export type ReadRow = {
  references: References
  uniqueIn: (organization: Living | undefined, named: RecordIds) => Unique[]
} & (
  | { open: Open; add?: never; prepare?: never }
  | { open?: never; add: Add; prepare?: never }
  | { open?: never; add?: never; prepare: (preparing: Preparing) => Promise<Create> }
)

export type KindOfImport = {
  names: Names
  /** What whoever imports has to be allowed to change. */
  scopes: readonly StaffScope[]
  /** The columns of a CSV. */
  fields: Readonly<Record<string, TSchema>>
  read: (values: Record<string, unknown>, now: Date) => ReadResult<ReadRow>
}

const noRules = (): Fields => ({})

/** Records of no organization. */
export function vendorKind<Body extends TObject>(kind: {
  scopes: readonly StaffScope[]
  body: Body
  rules?: Rules<Static<Body>>
  unique: (body: Static<Body>) => Unique[]
  add: (ctx: SystemContext, body: Static<Body>) => Promise<number>
}): KindOfImport {
  const { scopes, body: schema, rules = noRules, unique, add } = kind
  const read = readerOf('none', schema, rules)
  return {
    names: 'none',
    scopes,
    fields: fieldsOf('none', schema),
    read(values, now) {
      const { value, problems } = read(values, now)
      if (problems) return { problems }
      const { references, body } = value
      return { value: { references, uniqueIn: () => unique(body), add: (ctx) => add(ctx, body) } }
    },
  }
}

/** Organizations: each is opened in a transaction of its own. */
export function organizationKind<Body extends TObject>(kind: {
  scopes: readonly StaffScope[]
  body: Body
  rules?: Rules<Static<Body>>
  unique: (body: Static<Body>) => Unique[]
  open: (ctx: SystemContext, body: Static<Body>) => Promise<OrganizationContext>
}): KindOfImport {
  const { scopes, body: schema, rules = noRules, unique, open } = kind
  const read = readerOf('none', schema, rules)
  return {
    names: 'none',
    scopes,
    fields: fieldsOf('none', schema),
    read(values, now) {
      const { value, problems } = read(values, now)
      if (problems) return { problems }
      const { references, body } = value
      return { value: { references, uniqueIn: () => unique(body), open: (ctx) => open(ctx, body) } }
    },
  }
}

/** Records of an organization that is there. */
export function recordKind<Body extends TObject, Prepared = undefined>(kind: {
  scopes: readonly StaffScope[]
  names?: Exclude<Names, 'none'>
  body: Body
  rules?: Rules<Static<Body>>
  unique: (body: Static<Body>, organization: Living | undefined, named: RecordIds) => Unique[]
  prepare?: (preparing: Preparing, body: Static<Body>) => Promise<Prepared>
  create: (ctx: OrganizationContext, writing: Writing<Static<Body>, Prepared | undefined>) => Promise<number>
}): KindOfImport {
  const { scopes, names = 'organization', body: schema, rules = noRules, unique, prepare, create } = kind
  const read = readerOf(names, schema, rules)
  return {
    names,
    scopes,
    fields: fieldsOf(names, schema),
    read(values, now) {
      const { value, problems } = read(values, now)
      if (problems) return { problems }
      const { references, body } = value
      return {
        value: {
          references,
          uniqueIn: (organization, named) => unique(body, organization, named),
          async prepare(preparing) {
            const prepared = await prepare?.(preparing, body)
            return (ctx, named) => create(ctx, { body, named, prepared })
          },
        },
      }
    },
  }
}

const fieldsOf = (names: Names, { properties }: TObject) => ({ ...NAMES[names].properties, ...properties })

/** Reads a line in two parts, with the problems of both. */
function readerOf<Body extends TObject>(names: Names, body: Body, rules: Rules<Static<Body>>) {
  const named = Object.keys(NAMES[names].properties)
  const readReferences = compileRead(NAMES[names], referenceRules(names))
  const readBody = compileRead(body, rules)
  return (values: Record<string, unknown>, now: Date): ReadResult<{ references: References; body: Static<Body> }> => {
    const entries = Object.entries(values)
    const own = readBody(Object.fromEntries(entries.filter(([field]) => !named.includes(field))), now)
    const of = readReferences(Object.fromEntries(entries.filter(([field]) => named.includes(field))), now)
    if (own.problems || of.problems) return { problems: { ...of.problems, ...own.problems } }
    return { value: { references: of.value, body: own.value } }
  }
}

const referenceRules =
  (names: Names): Rules<References> =>
  (_row, { isGiven }) => ({
    ...(names !== 'none' && oneOf('organization', isGiven)),
    ...(names === 'entitlement' && oneOf('entitlement', isGiven)),
    ...(names === 'optional_entitlement' && atMostOne('entitlement', isGiven)),
    ...(names === 'invoice' && oneOf('invoice', isGiven)),
  })

type IsGiven = (field: string) => boolean

function oneOf(resource: string, isGiven: IsGiven): Fields {
  const [theirs, ours] = [`${resource}_external_id`, `${resource}_id`]
  if (isGiven(theirs) || isGiven(ours)) return atMostOne(resource, isGiven)
  return { [theirs]: `is required, or ${ours}` }
}

function atMostOne(resource: string, isGiven: IsGiven): Fields {
  const [theirs, ours] = [`${resource}_external_id`, `${resource}_id`]
  return isGiven(theirs) && isGiven(ours) ? { [ours]: `must not stand beside ${theirs}` } : {}
}
