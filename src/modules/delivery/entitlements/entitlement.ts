// The entitlement (spec 2.7, 3.4): the record to which everything sold belongs.
import { Type, type Static } from 'typebox'
import { Metadata } from './metadata.ts'
import { moves } from '#kernel/data/moves.ts'
import { externalId, givenExternalId } from '#kernel/values/integration.ts'
import { Closed, Company, Id, Name, Nullable, Text, Timestamp } from '#kernel/values/schema.ts'
import { table } from '#kernel/data/table.ts'
import { Features } from './feature.ts'

export const CLASSES = ['PLG', 'ENV', 'SVC', 'ORD', 'AFL', 'EDU'] as const
export const EntitlementClass = Type.Enum(CLASSES, {
  description:
    'PLG software license, ENV managed hosting, SVC professional service, ORD standalone order, AFL ' +
    'affiliate program, EDU training',
  examples: ['PLG'],
})
export type EntitlementClass = (typeof CLASSES)[number]

export const STATUSES = ['active', 'suspended', 'expired', 'cancelled'] as const
export const EntitlementStatus = Type.Enum(STATUSES, { examples: ['active'] })

export const entitlementMoves = moves(STATUSES, {
  suspend: { from: ['active'], to: 'suspended' },
  expire: { from: ['active', 'suspended'], to: 'expired' },
  cancel: { from: ['active', 'suspended', 'expired'], to: 'cancelled' },
  resume: { from: ['suspended'], to: 'active', event: 'resumed' },
  renew: { from: ['expired'], to: 'active', event: 'renewed' },
  /** Paid for after its end, when it was suspended until then. */
  suspendAgain: { from: ['expired'], to: 'suspended' },
})

/**
 * What brought about the status; `renewed` is said of an expired one that was paid for again, `payment_settled` of one
 * that was suspended as `payment_overdue`.
 */
export const STATUS_REASONS = [
  'by_staff',
  'expired',
  'renewed',
  'refunded',
  'order_cancelled',
  'subscription_ended',
  'payment_overdue',
  'payment_settled',
] as const
export type StatusReason = (typeof STATUS_REASONS)[number]

const ReasonText = Type.String({
  minLength: 1,
  maxLength: 500,
  pattern: '\\S',
  description: 'In the words of who changed the status; visible to customers',
})
export const statusReason = {
  status_reason_code: Nullable(
    Type.Enum(STATUS_REASONS, {
      description: 'What brought about the status; null: it is as it was created, or since before reasons were kept',
      examples: ['by_staff'],
    }),
  ),
  status_reason: Nullable(ReasonText),
}

const ScheduledStop = Type.Object(
  {
    act: Type.Enum(['suspend', 'cancel'], { examples: ['suspend'] }),
    at: Timestamp,
    reason: Nullable(ReasonText),
  },
  { description: 'What staff have arranged for later' },
)
export type ScheduledStop = Static<typeof ScheduledStop>

export const CHANNELS = ['stable', 'beta'] as const
export const ReleaseChannel = Type.Enum(CHANNELS, { examples: ['stable'] })

const ReleaseChannels = Type.Array(ReleaseChannel, {
  minItems: 1,
  uniqueItems: true,
  description: 'PLG: the channels whose releases it covers',
  examples: [['stable']],
})
const updates = {
  product_id: Nullable({ ...Id, description: 'Product of the catalogue; null: the one with its product_name' }),
  updates_until: Nullable({
    ...Timestamp,
    description: 'PLG: releases up to then may be downloaded; null: all while it is active',
  }),
}

const unpaid = {
  renews: Type.Boolean({
    description:
      'It ends with the paid time of a subscription that runs: at `expires_at` it does not expire, but ' +
      'waits for the next payment',
  }),
  suspends_at: Nullable({
    ...Timestamp,
    description: 'When it is suspended, or has been, unless what is due for it is paid',
  }),
  suspends_reason: Nullable(Type.String({ description: 'What is due for it; becomes the `status_reason` then' })),
}

const Quantity = Type.Integer({ minimum: 1, examples: [5], description: 'How many units were sold' })
const given = { quantity: Type.Optional({ ...Quantity, maximum: 1_000_000 }), features: Type.Optional(Features) }

/** `PLG-2026110001`: class, month (UTC), and a number of at least four digits. */
export const EntitlementCode = Type.String({
  pattern: '^(PLG|ENV|SVC|ORD|AFL|EDU)-\\d{6}\\d{4,}$',
  maxLength: 30,
  examples: ['PLG-2026110001'],
})

export const Entitlement = Type.Object(
  {
    id: Id,
    code: EntitlementCode,
    class: EntitlementClass,
    product_name: Name,
    product_description: Nullable(Text),
    status: EntitlementStatus,
    ...statusReason,
    status_since: { ...Timestamp, description: 'When it got its status' },
    scheduled: Nullable(ScheduledStop),
    organization_id: Id,
    company: Company,
    expires_at: Nullable(Timestamp),
    ...unpaid,
    ...updates,
    release_channels: ReleaseChannels,
    quantity: Quantity,
    features: Features,
    quote_id: Nullable(Id),
    order_id: Nullable(Id),
    auto_created: Type.Boolean({ description: 'Created from a paid quote' }),
    ...externalId,
    metadata: Nullable(Metadata),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { description: 'What an organization is entitled to' },
)
export type Entitlement = Static<typeof Entitlement>

/** What an order has of it, and which order has sold it. */
export type EntitlementSale = Pick<Entitlement, 'code' | 'class' | 'company' | 'order_id'>

/** Whether it is suspended because of what is due for it. */
export const isInArrears = ({
  status,
  status_reason_code: code,
}: Pick<Entitlement, 'status' | 'status_reason_code'>): boolean => status === 'suspended' && code === 'payment_overdue'

export type StatusFields = Pick<Entitlement, 'status' | 'expires_at' | 'renews' | 'suspends_at'>

/** The status by the clock: the job that writes it may come later. */
export function statusAt({ status, expires_at, renews, suspends_at }: StatusFields, now: Date): Entitlement['status'] {
  const hasPassed = (moment: string | null) => moment !== null && Date.parse(moment) <= now.getTime()
  if (status !== 'active') return status
  if (!renews && hasPassed(expires_at)) return 'expired'
  return hasPassed(suspends_at) ? 'suspended' : 'active'
}

export const NewEntitlement = Closed({
  class: EntitlementClass,
  product_name: Name,
  organization_id: Id,
  company: Company,
  product_description: Type.Optional(Nullable(Text)),
  expires_at: Type.Optional(Nullable(Timestamp)),
  product_id: Type.Optional(updates.product_id),
  updates_until: Type.Optional(updates.updates_until),
  release_channels: Type.Optional(ReleaseChannels),
  ...given,
  quote_id: Type.Optional(Nullable(Id)),
  ...givenExternalId,
  metadata: Type.Optional(Nullable(Metadata)),
})
export type NewEntitlement = Static<typeof NewEntitlement>

export const EntitlementChange = Closed({
  organization_id: Type.Optional(Id),
  product_name: Type.Optional(Name),
  product_description: Type.Optional(Nullable(Text)),
  expires_at: Type.Optional(Nullable(Timestamp)),
  product_id: Type.Optional(updates.product_id),
  updates_until: Type.Optional(updates.updates_until),
  release_channels: Type.Optional(ReleaseChannels),
  ...given,
  ...givenExternalId,
  metadata: Type.Optional(Nullable(Metadata)),
})
export type EntitlementChange = Static<typeof EntitlementChange>

export const EntitlementReason = Closed({
  organization_id: Type.Optional(Id),
  reason: Type.Optional(Nullable(ReasonText)),
})
export type EntitlementReason = Static<typeof EntitlementReason>

export const PlannedStop = Closed({
  ...EntitlementReason.properties,
  at: Type.Optional(Nullable({ ...Timestamp, description: 'In the future; without it at once' })),
})
export type PlannedStop = Static<typeof PlannedStop>

export const EntitlementRenewal = Closed({
  ...EntitlementReason.properties,
  expires_at: Type.Optional(Nullable(Timestamp)),
})

/** An order that has extended it, and what that has moved. */
const Renewal = Type.Object({
  order_id: Id,
  from: Timestamp,
  to: Timestamp,
  updates_from: Nullable(Timestamp),
  updates_to: Nullable(Timestamp),
  is_refunded: Type.Boolean(),
})
export type Renewal = Static<typeof Renewal>

/**
 * With the quote line that it was created from (one entitlement per line), the end for which a renewal was drafted, and
 * the last warning that was sent.
 */
const Row = Type.Object({
  ...Entitlement.properties,
  quote_line: Nullable(Type.Integer()),
  renewals: Type.Array(Renewal),
  renewal_drafted_for: Nullable(Timestamp),
  expiry_warned_for: Nullable(Timestamp),
  expiry_warned_days: Nullable(Type.Integer()),
})
export const entitlementsTable = table('entitlements', 'entitlement', Row, {
  moves: entitlementMoves,
  events: ['expiring'],
  search: ['code', 'product_name', 'external_id'],
})
