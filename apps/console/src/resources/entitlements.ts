// What an organization has, and the licenses of it.
import * as api from '@titular/sdk'
import { timelineOfEntitlement } from './timelines.ts'
import { type Field, isOneOf, type Declaration, type Item, textOf } from './resource.ts'
import { COMPANIES, ENTITLEMENTS, HISTORY, REASON } from './shared.ts'

const byStaff = { permission: 'entitlements:write' } as const
const atTime: Field = { field: 'at', as: 'time' }

const entitlement: readonly Field[] = [
  { field: 'product_name', isRequired: true, first: ({ product_name }) => product_name },
  { field: 'product_description', as: 'long', first: ({ product_description }) => product_description, clears: true },
  { field: 'expires_at', as: 'time', first: ({ expires_at }) => expires_at },
  { field: 'updates_until', as: 'time', first: ({ updates_until }) => updates_until },
  { field: 'quantity', as: 'number', first: ({ quantity }) => quantity },
]

export const entitlements: Declaration = {
  organization: {
    list: api.listEntitlements,
    get: api.getEntitlement,
    creates: {
      name: 'createEntitlement',
      operation: api.createEntitlement,
      ...byStaff,
      ofOrganization: true,
      form: [
        { field: 'class', chooses: { values: ['PLG', 'ENV', 'SVC', 'ORD', 'AFL', 'EDU'] }, isRequired: true },
        { field: 'company', chooses: COMPANIES, isRequired: true, first: () => 'entity_br' },
        ...entitlement,
      ],
    },
  },
  all: { list: api.adminListEntitlements },
  titleOf: ({ code }) => textOf(code),
  columns: [
    { field: 'code', as: 'code' },
    { field: 'product_name' },
    { field: 'status', as: 'status' },
    { field: 'expires_at', as: 'time' },
    { field: 'quantity', as: 'number' },
  ],
  details: [
    { field: 'class', as: 'value' },
    { field: 'product_description' },
    { field: 'status_reason' },
    { field: 'status_since', as: 'time' },
    { field: 'suspends_at', as: 'time' },
    { field: 'renews', as: 'yesNo' },
    { field: 'updates_until', as: 'time' },
    { field: 'company', as: 'value' },
    { field: 'created_at', as: 'time' },
  ],
  statuses: ['active', 'suspended', 'expired', 'cancelled'],
  filters: [{ field: 'class', values: ['PLG', 'ENV', 'SVC', 'ORD', 'AFL', 'EDU'] }],
  searches: true,
  sorts: ['expires_at', 'updated_at'],
  links: [{ name: 'lineage', to: ({ id }) => `lineage/${textOf(id)}` }],
  actions: [
    { name: 'updateEntitlement', operation: api.updateEntitlement, ...byStaff, form: entitlement },
    {
      name: 'renewEntitlement',
      operation: api.renewEntitlement,
      ...byStaff,
      form: [{ field: 'expires_at', as: 'time' }, REASON],
    },
    {
      name: 'suspendEntitlement',
      operation: api.suspendEntitlement,
      ...byStaff,
      isOffered: isOneOf('active'),
      isPreviewed: true,
      form: [atTime, REASON],
    },
    {
      name: 'resumeEntitlement',
      operation: api.resumeEntitlement,
      ...byStaff,
      isOffered: isOneOf('suspended'),
      form: [REASON],
    },
    {
      name: 'keepEntitlement',
      operation: api.deleteEntitlementStop,
      ...byStaff,
      isOffered: ({ scheduled }) => scheduled !== null && scheduled !== undefined,
    },
    {
      name: 'cancelEntitlement',
      operation: api.cancelEntitlement,
      ...byStaff,
      isOffered: isOneOf('active', 'suspended', 'expired'),
      isPreviewed: true,
      isDangerous: true,
      form: [atTime, REASON],
    },
  ],
  sections: [
    {
      name: 'licenses',
      list: api.listEntitlementLicenses,
      columns: [
        { field: 'license_key', as: 'code' },
        { field: 'status', as: 'status' },
        { field: 'activations_count', as: 'number' },
        { field: 'activations_limit', as: 'number' },
      ],
      opens: { resource: 'licenses' },
    },
    {
      name: 'contracts',
      list: api.listEntitlementContracts,
      columns: [{ field: 'title' }, { field: 'status', as: 'status' }, { field: 'end_date', as: 'date' }],
      opens: { resource: 'contracts' },
    },
    {
      name: 'sites',
      list: api.listEntitlementSites,
      isFolded: () => true,
      columns: [
        { field: 'domain', as: 'code' },
        { field: 'version' },
        { field: 'status', as: 'status' },
        { field: 'last_seen_at', as: 'time' },
      ],
      opens: { resource: 'sites' },
    },
    {
      name: 'orders',
      list: api.listEntitlementOrders,
      columns: [
        { field: 'number', as: 'code' },
        { field: 'status', as: 'status' },
        { field: 'date_created', as: 'time' },
        { field: 'total', as: 'money' },
      ],
      opens: { resource: 'orders' },
    },
    timelineOfEntitlement,
  ],
}

const licensesByStaff = { permission: 'licenses:write' } as const
const isLive = isOneOf('active')

/** The domains in use, as rows. */
const domainsOf = ({ activated_domains, staging_domains }: Item): readonly Item[] =>
  [activated_domains, staging_domains].flatMap((domains, place) =>
    Array.isArray(domains) ? domains.map((domain: unknown) => ({ id: domain, domain, is_staging: place === 1 })) : [],
  )

export const licenses: Declaration = {
  organization: {
    list: api.listLicenses,
    get: api.getLicense,
    creates: {
      name: 'createLicense',
      operation: api.createLicense,
      ...licensesByStaff,
      form: [
        { field: 'entitlement_id', chooses: ENTITLEMENTS, isRequired: true },
        { field: 'product_name' },
        { field: 'activations_limit', as: 'number' },
        { field: 'expires_at', as: 'time' },
      ],
    },
  },
  all: { list: api.adminListLicenses },
  titleOf: ({ license_key }) => textOf(license_key),
  columns: [
    { field: 'license_key', as: 'code' },
    { field: 'product_name' },
    { field: 'status', as: 'status' },
    { field: 'expires_at', as: 'time' },
    { field: 'slots', as: 'slots', of: ({ activations_count: used, activations_limit: limit }) => [used, limit] },
  ],
  details: [
    { field: 'entitlement_code', as: 'code' },
    { field: 'renews', as: 'yesNo' },
  ],
  statuses: ['active', 'suspended', 'expired', 'revoked'],
  sorts: ['expires_at', 'updated_at'],
  actions: [
    {
      name: 'activateLicense',
      operation: api.activateLicense,
      isOffered: isLive,
      isMain: true,
      form: [{ field: 'domain', isRequired: true }],
    },
    { name: 'licenseFile', operation: api.getLicenseFile, isReading: true, isOffered: isLive, shows: ['content'] },
    { name: 'rotateLicenseKey', operation: api.rotateLicenseKey, isOffered: isLive, form: [REASON] },
    {
      name: 'updateLicense',
      operation: api.updateLicense,
      ...licensesByStaff,
      form: [{ field: 'activations_limit', as: 'number', first: ({ activations_limit }) => activations_limit }, REASON],
    },
    { name: 'suspendLicense', operation: api.suspendLicense, ...licensesByStaff, isOffered: isLive, form: [REASON] },
    {
      name: 'resumeLicense',
      operation: api.resumeLicense,
      ...licensesByStaff,
      isOffered: isOneOf('suspended'),
      form: [REASON],
    },
    {
      name: 'renewLicense',
      operation: api.renewLicense,
      ...licensesByStaff,
      form: [{ field: 'expires_at', as: 'time' }, REASON],
    },
    {
      name: 'revokeLicense',
      operation: api.revokeLicense,
      ...licensesByStaff,
      isOffered: isOneOf('active', 'suspended', 'expired'),
      isDangerous: true,
      form: [REASON],
    },
  ],
  sections: [
    {
      name: 'domains',
      rowsOf: domainsOf,
      columns: [
        { field: 'domain', as: 'code' },
        { field: 'is_staging', as: 'yesNo' },
      ],
      actions: [{ name: 'deactivateLicense', operation: api.deactivateLicense, bodyOf: ({ domain }) => ({ domain }) }],
    },
    {
      name: 'history',
      list: api.listLicenseHistory,
      columns: [{ field: 'action', as: 'value' }, ...HISTORY, { field: 'domain', as: 'code' }],
    },
  ],
}
