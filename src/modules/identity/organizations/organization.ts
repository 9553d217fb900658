// The organization (spec 2.5): a customer of the vendor, and the tenant that every record of theirs belongs to.
import { listing, TIME } from '#kernel/data/lists/listing.ts'
import { type Static, Type } from 'typebox'
import { moves } from '#kernel/data/moves.ts'
import { ROLE_NAMES } from '#kernel/values/permissions.ts'
import { externalIdFilter, integration } from '#kernel/values/integration.ts'
import {
  AnyOf,
  Closed,
  Email,
  HttpUrl,
  Id,
  Line,
  Name,
  Nullable,
  Paging,
  Text,
  Timestamp,
} from '#kernel/values/schema.ts'
import { table } from '#kernel/data/table.ts'
import { TaxIssueRule } from '#ports/tax-issue-rule.ts'
import { DunningHold } from './dunning-hold.ts'
import { limitsOfMembers } from './self-service.ts'
import { TaxWithholding } from './tax-withholding.ts'

export const STATUSES = ['publish', 'draft'] as const
export const TYPES = ['company', 'individual'] as const
export const VERIFICATION_STATUSES = ['pending', 'verified', 'rejected'] as const

/** Staff decide; a change of legal name or CNPJ by the customer opens a decided verification again. */
export const verificationMoves = moves(
  VERIFICATION_STATUSES,
  {
    verify: { from: ['pending', 'rejected'], to: 'verified' },
    reject: { from: ['pending', 'verified'], to: 'rejected' },
    reopen: { from: ['verified', 'rejected'], to: 'pending', event: 'verification_reopened' },
  },
  'verification_status',
)

export const OrganizationStatus = Type.Enum(STATUSES, {
  description: '`draft`: not live yet, set by staff',
  examples: ['publish'],
})
export const OrganizationType = Type.Enum(TYPES, { examples: ['company'] })
export const VerificationStatus = Type.Enum(VERIFICATION_STATUSES, { examples: ['pending'] })
const Cnpj = Type.String({
  maxLength: 32,
  description: '14 characters, letters allowed in the first twelve; punctuation is removed',
  examples: ['11222333000181'],
})
/** An id in another system. Without spaces, so that one id has one spelling. */
const ExternalId = Type.String({ minLength: 1, maxLength: 255, pattern: '^\\S+$', examples: ['cus_NffrFeUfNV2Hib'] })

/** Fields that the organization's own members set. */
const customerFields = {
  legal_name: Nullable(Name),
  cnpj: Nullable(Cnpj),
  state_registration: Nullable(Line),
  email: Nullable(Email),
  phone: Nullable(Line),
  address: Nullable(Line),
  address2: Nullable(Line),
  address_number: Nullable(Line),
  neighborhood: Nullable(Line),
  city: Nullable(Line),
  state: Nullable(Line),
  country: Nullable(Line),
  zipcode: Nullable(Line),
  ibge_code: Nullable(Line),
  type: Nullable(OrganizationType),
  payment_customer_id_br: Nullable(ExternalId),
  payment_customer_id_global: Nullable(ExternalId),
  crm_company_id_br: Nullable(ExternalId),
  crm_company_id_global: Nullable(ExternalId),
  id_number: Nullable(Line),
  municipal_registration: Nullable(Line),
  tax_email: Nullable(Email),
  tax_param1: Nullable(Line),
  tax_param2: Nullable(Line),
  tax_param3: Nullable(Line),
  tax_param4: Nullable(Line),
  tax_param5: Nullable(Line),
  website: Nullable(HttpUrl),
  notes: Nullable(Text),
  additional_info: Nullable(Text),
  contacts_support: Nullable(Line),
  contacts_payment: Nullable(Line),
}
/** Fields that the owner sets, and staff. */
const ownerFields = {
  require_mfa: Type.Boolean({ description: 'Only sessions with a second factor are admitted; API keys are not asked' }),
}
/** Fields that only staff set. */
export const staffFields = {
  status: OrganizationStatus,
  parent_id: Nullable(Id),
  external_id: Nullable({
    ...integration.external_id,
    description: 'Its id in the vendor’s ERP or another system; no two organizations have the same',
  }),
  metadata: integration.metadata,
  requires_invoice_for_payment: Type.Boolean(),
  verification_requires: Type.Boolean(),
  tax_issue_rule: Nullable({
    ...TaxIssueRule,
    description: 'When its invoices get their tax invoices; null: as the products and the settings say',
  }),
  renewal_invoice_days: Nullable(
    Type.Integer({
      minimum: 0,
      maximum: 60,
      description: 'Days before a period in which its invoice is made; null: as the settings say',
      examples: [30],
    }),
  ),
  ...limitsOfMembers,
}

export const Organization = Type.Object(
  {
    id: Id,
    name: Name,
    status: OrganizationStatus,
    owner_id: Nullable(Type.Integer({ description: 'Null until the first owner has accepted the invite' })),
    parent_id: staffFields.parent_id,
    ...customerFields,
    verification_status: Nullable(VerificationStatus),
    verified_at: Nullable(Timestamp),
    verification_requires: staffFields.verification_requires,
    requires_invoice_for_payment: staffFields.requires_invoice_for_payment,
    tax_issue_rule: staffFields.tax_issue_rule,
    has_test_clock: Type.Boolean({ description: 'A test organization with a time of its own, which staff move' }),
    renewal_invoice_days: staffFields.renewal_invoice_days,
    ...limitsOfMembers,
    dunning_hold: Nullable(DunningHold),
    require_mfa: ownerFields.require_mfa,
    external_id: staffFields.external_id,
    metadata: staffFields.metadata,
    api_last_sync: Nullable(Timestamp),
    api_data: Nullable(Text),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { description: 'A customer of the vendor' },
)
export type Organization = Static<typeof Organization>

/** With the columns that members do not see. */
const Row = Type.Object({
  ...Organization.properties,
  tax_withholding: Nullable(TaxWithholding),
  sso_domains: Type.Array(Type.String()),
  deleted_at: Nullable(Timestamp),
  erased_at: Nullable(Timestamp),
  payment_customer_provider_br: Nullable(Line),
  payment_customer_provider_global: Nullable(Line),
})
export type OrganizationRow = Static<typeof Row>
export const organizationsTable = table('organizations', 'organization', Row, {
  moves: verificationMoves,
  events: ['restored', 'ownership_transferred'],
  search: ['name', 'legal_name', 'cnpj', 'email', 'external_id'],
})

/** What a body of staff may set, under plain names. */
export const changeable = Type.Partial(Type.Object({ name: Name, ...customerFields, ...ownerFields, ...staffFields }))
export type OrganizationValues = Static<typeof changeable>

const OLD_NAMES: Record<string, string> = {
  legal_name: 'org_legalname',
  cnpj: 'org_documentnumber1',
  state_registration: 'org_documentnumber2',
}
/** The prefixed names that a body may use instead, with the plain name of each. */
export const ALIASES = new Map(
  ['name', ...Object.keys(customerFields)].map((field) => [OLD_NAMES[field] ?? `org_${field}`, field]),
)
const aliased = Object.fromEntries(
  Object.entries({ name: Name, ...customerFields }).map(([field, schema]) => [
    OLD_NAMES[field] ?? `org_${field}`,
    Type.Optional({ ...schema, description: `The same as \`${field}\`` }),
  ]),
)

/** Plain and prefixed names; organization-fields.ts has who may set which. */
export const OrganizationBody = Type.Unsafe<OrganizationValues>(Closed({ ...changeable.properties, ...aliased }))
export const OrganizationForOwner = Type.Unsafe<OrganizationValues & { owner_email: string }>(
  Closed({ owner_email: Email, ...changeable.properties, ...aliased }),
)

export const OrganizationCreated = Type.Pick(Organization, ['id', 'name', 'status', 'verification_status', 'owner_id'])
export type OrganizationCreated = Static<typeof OrganizationCreated>

const SUMMARY = [
  'id',
  'name',
  'legal_name',
  'cnpj',
  'status',
  'type',
  'verification_status',
  'owner_id',
  'created_at',
  'updated_at',
] as const
export const OrganizationSummary = Type.Object({
  ...Type.Pick(Organization, SUMMARY).properties,
  role: Type.Enum(ROLE_NAMES, { description: 'The caller’s role', examples: ['owner'] }),
})
export const summaryColumns = SUMMARY.map((column) => `o.${column}`).join(', ')
export const OrganizationForAdministrators = Type.Object({
  ...Type.Pick(Organization, SUMMARY).properties,
  ...Type.Pick(Organization, ['email', 'city', 'country', 'verified_at', 'external_id']).properties,
  owner_email: Nullable(Email),
  deleted_at: Nullable(Timestamp),
})

const search = Type.Optional(
  Type.String({
    maxLength: 200,
    description: 'Part of the name, the legal name or the CNPJ; accents and case are ignored',
  }),
)
export const organizationListing = listing({ created_at: TIME, updated_at: TIME }, 'updated_at')
export const OrganizationFilters = Closed({
  ...Paging,
  ...organizationListing.parameters,
  search,
  status: Type.Optional(OrganizationStatus),
  type: Type.Optional(OrganizationType),
})
export type OrganizationFilters = Static<typeof OrganizationFilters>

export const AdministratorFilters = Closed({
  ...OrganizationFilters.properties,
  ...externalIdFilter,
  verification_status: AnyOf(VerificationStatus),
  deleted: Type.Optional(Type.Boolean({ description: 'true: only deleted organizations; otherwise only the others' })),
})
export type AdministratorFilters = Static<typeof AdministratorFilters>

export const Transfer = Closed({ collaborator_id: Id })
