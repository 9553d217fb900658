// A kind of lines: what a line has, which records it names that came before, and how it becomes a record. The type of
// its values stays inside of the kind.
import { Type, type Static, type TObject, type TSchema } from 'typebox'
import type { IoContext, OrganizationContext, SystemContext } from '#kernel/data/context.ts'
import type { Fields } from '#kernel/values/validation/problems.ts'
import type { Rules } from '#http/route.ts'
import { compileRead, type ReadResult } from '#kernel/values/validation/validation.ts'
import { Closed, Id } from '#kernel/values/schema.ts'
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
export type References = Static<typeof OfEntitlement>

const NAMES = { none: Identified, organization: OfOrganization, entitlement: OfEntitlement } as const
/** What a line names besides itself; an entitlement with its organization. */
export type Names = keyof typeof NAMES

/** Outside of transactions; `inside` is bound to the organization. A dry run takes no codes. */
type Preparing = { io: IoContext; inside: IoContext; dryRun: boolean }
type Writing<Body, Prepared> = { body: Body; entitlementId: number; prepared: Prepared }

/** Writes the record, and gives its id. */
export type Create = (ctx: OrganizationContext, entitlementId: number) => Promise<number>
/** Opens an organization, and gives the context of its transaction. */
export type Open = (ctx: SystemContext) => Promise<OrganizationContext>

/** What no other record may have: in the organization, or, without one, in the whole service. */
export type Unique = { field: string; value: string; isOfOrganization: boolean }

/** A line that fits its kind. */
export type ReadRow = { references: References; uniqueIn: (organization: Living | undefined) => Unique[] } & (
  | { open: Open; prepare?: never }
  | { open?: never; prepare: (preparing: Preparing) => Promise<Create> }
)

export type KindOfImport = {
  names: Names
  /** The columns of a CSV. */
  fields: Readonly<Record<string, TSchema>>
  read: (values: Record<string, unknown>, now: Date) => ReadResult<ReadRow>
}

const noRules = (): Fields => ({})

/** Organizations: each is opened in a transaction of its own. */
export function organizationKind<Body extends TObject>(kind: {
  body: Body
  rules?: Rules<Static<Body>>
  unique: (body: Static<Body>) => Unique[]
  open: (ctx: SystemContext, body: Static<Body>) => Promise<OrganizationContext>
}): KindOfImport {
  const { body: schema, rules = noRules, unique, open } = kind
  const read = readerOf('none', schema, rules)
  return {
    names: 'none',
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
  names?: Exclude<Names, 'none'>
  body: Body
  rules?: Rules<Static<Body>>
  unique: (body: Static<Body>, organization: Living | undefined) => Unique[]
  prepare?: (preparing: Preparing, body: Static<Body>) => Promise<Prepared>
  create: (ctx: OrganizationContext, writing: Writing<Static<Body>, Prepared | undefined>) => Promise<number>
}): KindOfImport {
  const { names = 'organization', body: schema, rules = noRules, unique, prepare, create } = kind
  const read = readerOf(names, schema, rules)
  return {
    names,
    fields: fieldsOf(names, schema),
    read(values, now) {
      const { value, problems } = read(values, now)
      if (problems) return { problems }
      const { references, body } = value
      return {
        value: {
          references,
          uniqueIn: (organization) => unique(body, organization),
          async prepare(preparing) {
            const prepared = await prepare?.(preparing, body)
            return (ctx, entitlementId) => create(ctx, { body, entitlementId, prepared })
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
  })

function oneOf(resource: string, isGiven: (field: string) => boolean): Fields {
  const [theirs, ours] = [`${resource}_external_id`, `${resource}_id`]
  if (isGiven(theirs) && isGiven(ours)) return { [ours]: `must not stand beside ${theirs}` }
  return isGiven(theirs) || isGiven(ours) ? {} : { [theirs]: `is required, or ${ours}` }
}
