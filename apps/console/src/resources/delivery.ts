// What runs for a customer, and how it is looked after.
import * as api from '@titular/sdk'
import { environmentHistory, maintenanceSection, provisioningActions } from './provisioning.ts'
import { type Field, isItem, isOneOf, type Declaration, type Item, textOf } from './resource.ts'
import { ENTITLEMENTS, HISTORY, NOTE, REASON } from './shared.ts'

const byStaff = { permission: 'entitlements:write' } as const

export const environments: Declaration = {
  organization: {
    list: api.listEnvironments,
    get: api.getEnvironment,
    creates: {
      name: 'createEnvironment',
      operation: api.createEnvironment,
      ...byStaff,
      form: [
        { field: 'entitlement_id', chooses: ENTITLEMENTS, isRequired: true },
        { field: 'name', isRequired: true },
        { field: 'platform', chooses: { values: ['moodle', 'wordpress', 'custom'] }, isRequired: true },
        {
          field: 'environment_type',
          chooses: { values: ['production', 'staging', 'development', 'sandbox'] },
          isRequired: true,
        },
        { field: 'url' },
      ],
    },
  },
  all: { list: api.adminListEnvironments },
  titleOf: ({ name }) => textOf(name),
  columns: [
    { field: 'name' },
    { field: 'status', as: 'status' },
    { field: 'environment_type', as: 'value' },
    { field: 'platform', as: 'value' },
    { field: 'url', as: 'link' },
  ],
  details: [
    { field: 'entitlement_code', as: 'code' },
    { field: 'provisioning_act', as: 'value', isStaffs: true },
    { field: 'provisioning_state', as: 'value', isStaffs: true },
    { field: 'provisioning_error', isStaffs: true },
    { field: 'external_id', as: 'code', isStaffs: true },
  ],
  statuses: ['provisioning', 'active', 'maintenance', 'suspended', 'decommissioned'],
  sorts: ['updated_at'],
  actions: provisioningActions,
  sections: [
    maintenanceSection,
    {
      name: 'tickets',
      list: api.listEnvironmentTickets,
      columns: [{ field: 'number', as: 'code' }, { field: 'title' }, { field: 'status', as: 'status' }],
      opens: { resource: 'tickets' },
      creates: {
        name: 'createEnvironmentTicket',
        operation: api.createEnvironmentTicket,
        form: [
          { field: 'title', isRequired: true },
          { field: 'description', as: 'long' },
        ],
      },
    },
    environmentHistory,
  ],
}

const service: readonly Field[] = [
  { field: 'name', isRequired: true, first: ({ name }) => name },
  {
    field: 'lifecycle',
    chooses: { values: ['ongoing', 'project'] },
    isRequired: true,
    first: ({ lifecycle }) => lifecycle,
  },
  { field: 'description', as: 'long', first: ({ description }) => description, clears: true },
]

const milestone: readonly Field[] = [
  { field: 'title', isRequired: true, first: ({ title }) => title },
  { field: 'due_date', as: 'date', first: ({ due_date }) => due_date, clears: true },
]

export const services: Declaration = {
  organization: {
    list: api.listServices,
    get: api.getService,
    creates: {
      name: 'createService',
      operation: api.createService,
      ...byStaff,
      form: [{ field: 'entitlement_id', chooses: ENTITLEMENTS, isRequired: true }, ...service],
    },
  },
  all: { list: api.adminListServices },
  titleOf: ({ name }) => textOf(name),
  columns: [{ field: 'name' }, { field: 'status', as: 'status' }, { field: 'lifecycle', as: 'value' }],
  details: [{ field: 'description' }, { field: 'entitlement_code', as: 'code' }],
  statuses: ['proposal', 'approved', 'in_progress', 'on_hold', 'delivered', 'closed', 'cancelled'],
  sorts: ['updated_at'],
  actions: [
    {
      name: 'acceptDelivery',
      operation: api.acceptServiceDelivery,
      isOffered: isOneOf('delivered'),
      isMain: true,
    },
    {
      name: 'rejectDelivery',
      operation: api.rejectServiceDelivery,
      isOffered: isOneOf('delivered'),
      form: [{ ...REASON, isRequired: true }],
    },
    { name: 'updateService', operation: api.updateService, ...byStaff, form: service },
    {
      name: 'updateServiceStatus',
      operation: api.updateServiceStatus,
      ...byStaff,
      form: [
        {
          field: 'status',
          chooses: { values: ['proposal', 'approved', 'in_progress', 'on_hold', 'delivered', 'closed', 'cancelled'] },
          isRequired: true,
        },
        NOTE,
      ],
    },
  ],
  sections: [
    {
      name: 'milestones',
      list: api.listServiceMilestones,
      columns: [{ field: 'title' }, { field: 'due_date', as: 'date' }, { field: 'done_at', as: 'time' }],
      creates: { name: 'createMilestone', operation: api.createServiceMilestone, ...byStaff, form: milestone },
      actions: [
        {
          name: 'updateMilestone',
          operation: api.updateServiceMilestone,
          reads: api.getServiceMilestone,
          ...byStaff,
          at: ({ id }) => ({ milestone_id: id }),
          form: [...milestone, { field: 'done_at', as: 'time', first: ({ done_at }) => done_at, clears: true }],
        },
      ],
    },
    {
      name: 'tickets',
      list: api.listServiceTickets,
      columns: [{ field: 'number', as: 'code' }, { field: 'title' }, { field: 'status', as: 'status' }],
      opens: { resource: 'tickets' },
    },
    { name: 'history', list: api.listServiceHistory, columns: HISTORY },
  ],
}

/** What there is of the proof that the domain is the organization's. */
const proofOf = ({ verification }: Item, ...path: readonly string[]): unknown =>
  path.reduce<unknown>((found, name) => (isItem(found) ? found[name] : null), verification)

export const sites: Declaration = {
  organization: {
    list: api.listSites,
    get: api.getSite,
    creates: {
      name: 'createSite',
      operation: api.createSite,
      form: [{ field: 'domain', isRequired: true }, { field: 'name' }, { field: 'platform' }],
    },
  },
  all: { list: api.adminListSites },
  titleOf: ({ domain }) => textOf(domain),
  columns: [
    { field: 'domain', as: 'code' },
    { field: 'name' },
    { field: 'status', as: 'status' },
    { field: 'version' },
    { field: 'last_seen_at', as: 'time' },
  ],
  details: [
    { field: 'platform', as: 'value' },
    { field: 'platform_version' },
    { field: 'verification', as: 'value', of: (site) => proofOf(site, 'status') },
    { field: 'checked_at', as: 'time', of: (site) => proofOf(site, 'checked_at') },
    { field: 'dns_name', as: 'code', of: (site) => proofOf(site, 'challenge', 'dns_name') },
    { field: 'dns_value', as: 'code', of: (site) => proofOf(site, 'challenge', 'dns_value') },
    { field: 'file_path', as: 'code', of: (site) => proofOf(site, 'challenge', 'file_path') },
    { field: 'file_content', as: 'code', of: (site) => proofOf(site, 'challenge', 'file_content') },
  ],
  searches: true,
  sorts: ['updated_at'],
  actions: [
    { name: 'verifySite', operation: api.verifySite, isMain: true },
    {
      name: 'updateSite',
      operation: api.updateSite,
      form: [
        { field: 'name', isRequired: true, first: ({ name }) => name },
        { field: 'platform', first: ({ platform }) => platform, clears: true },
        { field: 'status', chooses: { values: ['active', 'inactive'] }, first: ({ status }) => status },
      ],
    },
    { name: 'deleteSite', operation: api.deleteSite, isDangerous: true },
  ],
}
