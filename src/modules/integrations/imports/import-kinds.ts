// What a line of each kind has, and how it becomes a record: by the operations that the requests of staff use.
import { NewCollaborator } from '#modules/identity/collaborators/collaborator.ts'
import { inviteCollaborator, memberRules } from '#modules/identity/collaborators/invite-collaborator.ts'
import { bringEntitlement, BroughtCode, broughtCodeRules } from '#modules/delivery/entitlements/bring-entitlement.ts'
import { allocateEntitlementCode, createEntitlement } from '#modules/delivery/entitlements/create-entitlement.ts'
import { NewEntitlement } from '#modules/delivery/entitlements/entitlement.ts'
import { featureRules } from '#modules/delivery/entitlements/feature.ts'
import { usualCompany } from '#kernel/values/company.ts'
import type { SystemContext } from '#kernel/data/context.ts'
import { forbidden } from '#kernel/values/errors.ts'
import { permissionFor } from '#kernel/values/staff-roles.ts'
import { NewContract } from '#modules/delivery/contracts/contract.ts'
import { contractRules, createContract } from '#modules/delivery/contracts/draft-contract.ts'
import { moveContract } from '#modules/delivery/contracts/move-contract.ts'
import { draftInvoice } from '#modules/sales/invoices/draft-invoice.ts'
import { bringSubscription, broughtSubscriptionRules } from '#modules/sales/subscriptions/bring-subscription.ts'
import { BroughtSubscription } from '#modules/sales/subscriptions/subscription.ts'
import { bringTicket, broughtTicketRules } from '#modules/support/tickets/bring-ticket.ts'
import { allocateTicketNumber } from '#modules/support/tickets/open-ticket.ts'
import { BroughtTicket } from '#modules/support/tickets/ticket.ts'
import { bringPayment } from '#modules/sales/payments/pay-by-hand.ts'
import { BroughtPayment } from '#modules/sales/payments/payment.ts'
import { NewInvoice } from '#modules/sales/invoices/invoice.ts'
import { invoiceRules } from '#modules/sales/invoices/invoice-rules.ts'
import { assertKeyIsNew, bringLicense } from '#modules/delivery/licenses/bring-license.ts'
import { keyDigest } from '#modules/delivery/licenses/change-license.ts'
import { typedKey } from '#modules/delivery/licenses/issue-license.ts'
import { BroughtLicense } from '#modules/delivery/licenses/license.ts'
import { CLAIMED } from '#modules/delivery/customers/claims.ts'
import { openOrganization } from '#modules/identity/organizations/create-organization.ts'
import { changeable } from '#modules/identity/organizations/organization.ts'
import { noOwnerRules, organizationRules, settled } from '#modules/identity/organizations/organization-fields.ts'
import { notInFuture } from '#kernel/values/time/time-rules.ts'
import { Closed, Name } from '#kernel/values/schema.ts'
import { Type } from 'typebox'
import type { Kind } from './import.ts'
import { products } from './product-kind.ts'
import { type KindOfImport, organizationKind, recordKind, type Unique } from './row-kind.ts'

const inService = (field: string, value: string): Unique => ({ field, value, isOfOrganization: false })
const inOrganization = (field: string, value: string): Unique => ({ field, value, isOfOrganization: true })

// `external_id` of a line is that of the system it comes from (docs/interface/general.md).
const { external_id: _ofOrganization, ...organized } = changeable.properties
const organizations = organizationKind({
  scopes: ['organization'],
  body: Closed({ ...organized, name: Name }),
  rules: (body, asked) => ({ ...organizationRules(body, asked), ...noOwnerRules(body) }),
  unique(body) {
    const values = settled(body)
    return CLAIMED.flatMap((field) => (typeof values[field] === 'string' ? [inService(field, values[field])] : []))
  },
  open: async (ctx, body) => (await openOrganization(ctx, body, null)).inside,
})

/** Nobody is told before POST /admin/imports/{id}/invite. */
const members = recordKind({
  scopes: ['organization'],
  body: NewCollaborator,
  rules: memberRules,
  unique: ({ email, role }) => [
    inOrganization('email', email.toLowerCase()),
    ...(role === 'owner' ? [inOrganization('role', role)] : []),
  ],
  create: async (ctx, { body }) => (await inviteCollaborator(ctx, body, null)).id,
})

const {
  organization_id: _organization,
  quote_id: _quote,
  external_id: _ofEntitlement,
  ...entitled
} = NewEntitlement.properties
const entitlements = recordKind({
  scopes: ['entitlements'],
  body: Closed({ ...entitled, code: Type.Optional(BroughtCode) }),
  rules: (body, { now }) => ({ ...featureRules(body), ...broughtCodeRules(body.class, body.code, now) }),
  unique: ({ code }) => (code === undefined ? [] : [inService('code', code)]),
  async prepare({ inside, dryRun }, body) {
    if (body.code !== undefined) return ''
    return dryRun ? `${body.class}-0000000000` : allocateEntitlementCode(inside, body.class)
  },
  async create(ctx, { body: { code, ...given }, prepared = '' }) {
    const body = { ...given, organization_id: ctx.organizationId }
    return (await (code === undefined ? createEntitlement(ctx, body, prepared) : bringEntitlement(ctx, body, code))).id
  },
})

const {
  organization_id: _holder,
  entitlement_id: _entitlement,
  external_id: _ofLicense,
  ...licensed
} = BroughtLicense.properties
const licenses = recordKind({
  scopes: ['licenses'],
  names: 'entitlement',
  body: Closed(licensed),
  unique: ({ license_key: key }) => [inService('license_key', keyDigest(typedKey(key)))],
  prepare: ({ io }, body) => assertKeyIsNew(io, body.license_key),
  create: async (ctx, { body, named: { entitlementId } }) =>
    (await bringLicense(ctx, { ...body, entitlement_id: entitlementId ?? 0 })).id,
})

const {
  organization_id: _debtor,
  order_id: _order,
  status: _status,
  origin: _origin,
  external_id: _ofInvoice,
  ...billed
} = NewInvoice.properties
const invoices = recordKind({
  scopes: ['finances'],
  body: Closed(billed),
  rules: (body, asked) => ({
    ...(!asked.isGiven('number') && { number: 'is required' }),
    ...invoiceRules(body, asked),
  }),
  unique: ({ number = '', company }, organization) => [
    inOrganization('number', `${company ?? usualCompany(organization?.country ?? null)} ${number}`),
  ],
  create: async (ctx, { body }) => (await draftInvoice(ctx, { ...body, status: 'open' })).id,
})

const {
  organization_id: _party,
  entitlement_id: _covered,
  external_id: _ofContract,
  ...agreed
} = NewContract.properties
const contracts = recordKind({
  scopes: ['contracts'],
  names: 'optional_entitlement',
  body: Closed({ ...agreed, status: Type.Optional(Type.Enum(['draft', 'active'])) }),
  rules: contractRules,
  unique: () => [],
  async create(ctx, { body: { status = 'draft', ...body }, named: { entitlementId: entitlement_id } }) {
    const { id } = await createContract(ctx, { ...body, entitlement_id })
    if (status !== 'draft') await moveContract(ctx, id, { status })
    return id
  },
})

/** Recorded as by staff; but nobody gets a receipt, and no tax invoice follows. */
const payments = recordKind({
  scopes: ['finances'],
  names: 'invoice',
  body: BroughtPayment,
  rules: ({ paid_at }, { now }) => notInFuture('paid_at', paid_at, now),
  unique: () => [],
  create: (ctx, { body, named: { invoiceId } }) => bringPayment(ctx, invoiceId ?? 0, body),
})

/** Billed by the service itself from the next period on; the entitlement becomes what the order has sold. */
const subscriptions = recordKind({
  scopes: ['orders', 'entitlements'],
  names: 'optional_entitlement',
  body: BroughtSubscription,
  rules: broughtSubscriptionRules,
  unique: (_body, _living, { entitlementId }) =>
    entitlementId === null ? [] : [inOrganization('entitlement_id', String(entitlementId))],
  create: async (ctx, { body, named: { entitlementId } }) => (await bringSubscription(ctx, body, entitlementId)).id,
})

/** Nobody is mailed. */
const tickets = recordKind({
  scopes: ['tickets'],
  names: 'optional_entitlement',
  body: BroughtTicket,
  rules: broughtTicketRules,
  unique: () => [],
  prepare: async ({ inside, dryRun }) => (dryRun ? 'SR-00000000' : allocateTicketNumber(inside)),
  create: async (ctx, { body, named: { entitlementId }, prepared: number = '' }) =>
    (await bringTicket(ctx, body, { number, entitlementId })).id,
})

export const IMPORT_KINDS: Readonly<Record<Kind, KindOfImport>> = {
  organizations,
  members,
  products,
  entitlements,
  licenses,
  contracts,
  subscriptions,
  invoices,
  payments,
  tickets,
}

/** 403 unless the caller may change what lines of the kind become. */
export function assertMayImport({ caller }: Pick<SystemContext, 'caller'>, kind: Kind): void {
  const needed = IMPORT_KINDS[kind].scopes.map((scope) => permissionFor(scope, true))
  const missing = needed.find((permission) => !caller.permissions?.includes(permission))
  if (missing !== undefined) throw forbidden('scope_missing', `Scope not authorized: ${missing}`)
}
