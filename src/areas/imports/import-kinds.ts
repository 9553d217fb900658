// What a line of each kind has, and how it becomes a record: by the operations that the requests of staff use.
import { NewCollaborator } from '#areas/collaborators/collaborator.ts'
import { assertDatesInOrder, inviteCollaborator } from '#areas/collaborators/invite-collaborator.ts'
import { bringEntitlement, BroughtCode, broughtCodeRules } from '#areas/entitlements/bring-entitlement.ts'
import { allocateEntitlementCode, createEntitlement } from '#areas/entitlements/create-entitlement.ts'
import { NewEntitlement } from '#areas/entitlements/entitlement.ts'
import { featureRules } from '#areas/entitlements/feature.ts'
import { usualCompany } from '#areas/documents-of-record/parties.ts'
import { draftInvoice } from '#areas/invoices/draft-invoice.ts'
import { NewInvoice } from '#areas/invoices/invoice.ts'
import { invoiceRules } from '#areas/invoices/invoice-rules.ts'
import { assertKeyIsNew, bringLicense } from '#areas/licenses/bring-license.ts'
import { keyDigest } from '#areas/licenses/change-license.ts'
import { typedKey } from '#areas/licenses/issue-license.ts'
import { BroughtLicense } from '#areas/licenses/license.ts'
import { CLAIMED } from '#areas/organizations/claims.ts'
import { openOrganization } from '#areas/organizations/create-organization.ts'
import { changeable } from '#areas/organizations/organization.ts'
import { noOwnerRules, organizationRules, settled } from '#areas/organizations/organization-fields.ts'
import { problemsIn } from '#kernel/http/problems.ts'
import { Closed, Name } from '#kernel/values/schema.ts'
import { Type } from 'typebox'
import type { Kind } from './import.ts'
import { type KindOfImport, organizationKind, recordKind, type Unique } from './row-kind.ts'

const inService = (field: string, value: string): Unique => ({ field, value, isOfOrganization: false })
const inOrganization = (field: string, value: string): Unique => ({ field, value, isOfOrganization: true })

// `external_id` of a line is that of the system it comes from (docs/interface/general.md).
const { external_id: _ofOrganization, ...organized } = changeable.properties
const organizations = organizationKind({
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
  body: NewCollaborator,
  rules: (body) => problemsIn(() => assertDatesInOrder(body)),
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
  names: 'entitlement',
  body: Closed(licensed),
  unique: ({ license_key: key }) => [inService('license_key', keyDigest(typedKey(key)))],
  prepare: ({ io }, body) => assertKeyIsNew(io, body.license_key),
  create: async (ctx, { body, entitlementId }) =>
    (await bringLicense(ctx, { ...body, entitlement_id: entitlementId })).id,
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

export const IMPORT_KINDS: Readonly<Record<Kind, KindOfImport>> = {
  organizations,
  members,
  entitlements,
  licenses,
  invoices,
}
