// What a change would do, as a dry run answers it (docs/decisions/0059), and what a preview takes for granted of
// others.
import { Type, type Static } from 'typebox'
import type { JobKind } from '#kernel/data/job-kinds.ts'
import { Closed, Currency, Id, Money, Nullable } from '#kernel/values/schema.ts'
import type { OrganizationContext } from '#kernel/data/context.ts'
import type { Statement } from '#kernel/values/sql.ts'
import type { EventType } from '#kernel/data/table.ts'

const Side = (description: string) =>
  Type.Unsafe<Record<string, unknown> | null>({
    type: ['object', 'null'],
    additionalProperties: true,
    description,
    examples: [{ status: 'paid' }],
  })

const NewId = { ...Nullable(Id), description: 'Null for a record that the change would create' }

export const PreviewedRecord = Type.Object(
  {
    resource: Type.String({ examples: ['invoice'] }),
    resource_id: NewId,
    reference: Nullable(
      Type.String({ description: 'Its number, code or name; null where there is none yet', examples: ['BR-000042'] }),
    ),
    events: Type.Array(Type.String(), {
      description: 'What would happen to it, in order',
      examples: [['updated', 'refunded']],
    }),
    before: Side('The fields that would change, as they are; null for a new record'),
    after: Side('The same fields afterwards, or the new record; null for one that would be removed'),
  },
  { description: 'A record that the change would touch' },
)
export type PreviewedRecord = Static<typeof PreviewedRecord>

const PARTIES = ['payment_provider', 'tax_authority', 'affiliate_program', 'mail', 'staff'] as const

export const PreviewedRequest = Type.Object(
  {
    of: Type.Enum(PARTIES, { examples: ['payment_provider'] }),
    act: Type.String({ description: 'What is asked; the name of the mail for `mail`', examples: ['refund'] }),
    resource: Nullable(Type.String({ examples: ['refund'] })),
    resource_id: NewId,
    amount: Nullable({ ...Money, description: 'What a commission is lowered by; null for all others' }),
    currency: Nullable(Currency),
  },
  { description: 'What others would be asked for' },
)
export type PreviewedRequest = Static<typeof PreviewedRequest>

export const Preview = Type.Object(
  {
    dry_run: Type.Boolean({ const: true, description: 'Nothing was written' }),
    records: Type.Array(PreviewedRecord),
    requests: Type.Array(PreviewedRequest, {
      description: 'The records are shown as they are once all of these have been granted',
    }),
    problems: Type.Array(Type.String(), {
      description: 'What would become a dead letter; shown to staff, and to members with every scope',
      examples: [['tax invoice 7 of a voided invoice could be cancelled until 2026-11-21']],
    }),
    is_complete: Type.Boolean({ description: 'Whether all that follows was looked at, without a problem' }),
  },
  { description: 'What the request would do without `dry_run`' },
)
export type Preview = Static<typeof Preview>

/** The query parameter of the routes that declare `dryRun`. */
const DRY_RUN = {
  dry_run: Type.Optional(
    Type.Boolean({ description: 'Writes nothing, and answers with what the request would do (200, `Preview`)' }),
  ),
}

/** `Closed({ …, dry_run })` */
export const withDryRun = (query?: { properties?: object }) => Closed({ ...query?.properties, ...DRY_RUN })

/**
 * What follows when others do as they are asked, after a job that asks them or an event that waits for them. It writes
 * that into the preview and names the request; null when nobody is asked. `elsewhere` reads what another organization
 * has, as it was before the change.
 */
export type Assumption = {
  readonly after: string
  readonly holds: (
    ctx: OrganizationContext,
    about: unknown,
    elsewhere: ReadElsewhere,
  ) => Promise<PreviewedRequest | null>
}
export type ReadElsewhere = <Row>(statement: Statement<Row>) => Promise<Row[]>

export const assumedAfterJob = <Payload>(
  { name, read }: JobKind<Payload>,
  holds: (ctx: OrganizationContext, payload: Payload, elsewhere: ReadElsewhere) => Promise<PreviewedRequest | null>,
): Assumption => ({ after: name, holds: (ctx, payload, elsewhere) => holds(ctx, read(payload), elsewhere) })

export const assumedAfterEvent = (
  type: EventType,
  holds: (ctx: OrganizationContext, resourceId: number) => Promise<PreviewedRequest | null>,
): Assumption => ({ after: type, holds: (ctx, id) => holds(ctx, Number(id)) })

export const previewed = (
  of: PreviewedRequest['of'],
  act: string,
  about: { resource: string; id: number } | null = null,
): PreviewedRequest => ({
  of,
  act,
  resource: about?.resource ?? null,
  resource_id: about?.id ?? null,
  amount: null,
  currency: null,
})
