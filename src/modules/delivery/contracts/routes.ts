// The routes of contracts (spec 4.10, docs/interface/delivery.md).
import { acrossItem } from '#kernel/data/lists/across.ts'
import { contractRecord } from './contract-record.ts'
import { contractRules } from './draft-contract.ts'
import { served } from '#modules/documents/documents-of-record/serve-document.ts'
import { historyPage } from '#kernel/data/audit/history.ts'
import { org, staff, staffNeed, vendor } from '#kernel/values/permissions.ts'
import { fileRoute, route } from '#http/route.ts'
import { ById, Closed, Paging } from '#kernel/values/schema.ts'
import {
  AdministratorsContractFilters,
  Contract,
  ContractChange,
  ContractFilters,
  contractHistory,
  ContractHistoryEntry,
  ContractRenewal,
  ContractStatusChange,
  NewContract,
} from './contract.ts'
import { changeContract, createContract } from './draft-contract.ts'
import { contractDocument } from './archive.ts'
import { contracts } from './queries.ts'
import { moveContract, renewContract } from './move-contract.ts'

export const contractRoutes = [
  route({
    method: 'GET',
    path: '/contracts',
    access: org('contracts'),
    purpose: 'List the contracts of the organization.',
    description: 'Only staff see drafts.',
    query: ContractFilters,
    page: Contract,
    features: { record: contractRecord },
    read: ({ org: id }, { query }) => contracts.page(id, query),
  }),
  route({
    method: 'GET',
    path: '/admin/contracts',
    access: vendor('contracts'),
    purpose: 'List the contracts of all organizations, drafts included.',
    description: 'Newest first, each with its organization, also of deleted ones.',
    query: AdministratorsContractFilters,
    page: acrossItem(Contract),
    features: { record: contractRecord, limitsOrganizations: true, mayBeStale: true },
    read: ({ organizations: only }, { query }) => contracts.pageOfAll(query, only),
  }),
  route({
    method: 'POST',
    path: '/contracts',
    access: staff('contracts'),
    purpose: 'Create a draft contract.',
    description:
      'Customers see it from its activation on (`POST /contracts/{id}/status`); until then its terms can change. ' +
      'Its legal entity is that of the entitlement: another `company` is 422, an entitlement of another ' +
      'organization 404.',
    body: NewContract,
    rules: contractRules,
    openapi: {
      example: {
        title: 'Maintenance 2027',
        start_date: '2027-01-01',
        end_date: '2027-12-31',
        notice_days: 60,
        terms: 'Support on working days.',
        sla_first_response_minutes: { urgent: 60, high: 240, normal: 480 },
        sla_resolution_minutes: { urgent: 480, high: 1440 },
      },
    },
    data: Contract,
    status: 201,
    fails: ['external_id_taken', 'NOT_FOUND'],
    run: async (ctx, { body }) => ({ data: await createContract(ctx, body), message: 'Contract drafted' }),
  }),
  route({
    method: 'GET',
    path: '/contracts/{id}',
    access: org('contracts'),
    purpose: 'Get a contract.',
    description:
      '404 for customers while it is a draft, and when it was cancelled as a draft. `notice_date` is when its ' +
      'notice window opens.',
    params: ById,
    data: Contract,
    features: { record: contractRecord },
    read: ({ org: id }, { params }) => contracts.byId(id, params.id),
  }),
  route({
    method: 'PATCH',
    path: '/contracts/{id}',
    access: staff('contracts'),
    purpose: 'Update a contract.',
    description:
      'Only the given fields change. Of a contract that is not a draft only title, notes, `external_id` and ' +
      '`metadata` can change: renew it to change the terms.',
    params: ById,
    body: ContractChange,
    rules: contractRules,
    openapi: { example: { title: 'Maintenance and support 2027' } },
    data: Contract,
    fails: ['external_id_taken', 'terms_agreed'],
    run: async (ctx, { params, body }) => ({
      data: await changeContract(ctx, params.id, body),
      message: 'Contract updated',
    }),
  }),
  route({
    method: 'POST',
    path: '/contracts/{id}/status',
    access: staff('contracts'),
    purpose: 'Update the status of a contract.',
    description:
      'From its activation on customers see it, its service levels count for new tickets, and its terms stay. ' +
      'Cancelled is final, and one that has expired is renewed. 409 for a step that the states do not have, and for ' +
      'activating or resuming after `end_date`.',
    params: ById,
    body: ContractStatusChange,
    openapi: { example: { status: 'active', note: 'Signed on paper' } },
    data: Contract,
    fails: ['contract_expired', 'end_date_passed', 'renewed_by_its_own_endpoint', 'status_not_allowed'],
    run: async (ctx, { params, body }) => ({
      data: await moveContract(ctx, params.id, body),
      message: 'Contract updated',
    }),
  }),
  route({
    method: 'POST',
    path: '/contracts/{id}/renew',
    access: staff('contracts'),
    purpose: 'Renew a contract with a successor.',
    description:
      'The successor is in force, and each names the other. It keeps what is not given, and begins on the ' +
      'day after the end by default.',
    params: ById,
    body: ContractRenewal,
    rules: contractRules,
    openapi: { example: { end_date: '2030-12-31' } },
    data: Contract,
    status: 201,
    fails: ['status_not_allowed'],
    run: async (ctx, { params, body }) => ({
      data: await renewContract(ctx, params.id, body),
      message: 'Contract renewed',
    }),
  }),
  route({
    method: 'GET',
    path: '/contracts/{id}/history',
    access: org('contracts'),
    purpose: 'List the status history of a contract.',
    description: 'Oldest first.',
    params: ById,
    query: Closed({ ...Paging }),
    page: ContractHistoryEntry,
    read: ({ org: id }, { params, query }) => historyPage(contractHistory, id, params.id, query),
  }),
  fileRoute({
    path: '/contracts/{id}/pdf',
    access: org('contracts'),
    purpose: 'Download a contract as PDF.',
    description: 'In the language of `Accept-Language`, else that of the organization’s country.',
    params: ById,
    ...served(contractDocument),
  }),
  route({
    method: 'GET',
    path: '/entitlements/{id}/contracts',
    access: staffNeed(org('entitlements'), 'contracts'),
    purpose: 'List the contracts of an entitlement.',
    description: 'Newest first, those that have ended too. Customers see no drafts.',
    params: ById,
    query: ContractFilters,
    page: Contract,
    features: { record: contractRecord },
    read: ({ org: id }, { params, query }) => contracts.ofEntitlement(id, params.id, query),
  }),
]
