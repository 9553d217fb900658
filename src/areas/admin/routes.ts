// Work across organizations: administrators only, no organization header, each request audited by the pipeline.
import { newOrganizationRules } from '#areas/organizations/organization-fields.ts'
import { Type } from 'typebox'
import { administrator } from '#kernel/access/permissions.ts'
import { route } from '#kernel/http/route.ts'
import { ById } from '#kernel/values/schema.ts'
import { AdministratorsEntry, AdministratorsFilters } from '#areas/audit-log/audit-entry.ts'
import { auditLog } from '#areas/audit-log/queries.ts'
import { enableUser } from '#areas/auth/disable-user.ts'
import { generateInvitation } from '#areas/collaborators/invitation.ts'
import { AdministratorsInvoice, AdministratorsInvoiceFilters } from '#areas/invoices/invoice.ts'
import { todayAt } from '#areas/invoices/overdue.ts'
import { invoicesOfAll } from '#areas/invoices/queries.ts'
import { decideVerification, restoreOrganization } from '#areas/organizations/change-organization.ts'
import {
  AdministratorFilters,
  Organization,
  OrganizationCreated,
  OrganizationForAdministrators,
  OrganizationForOwner,
  verificationMoves,
} from '#areas/organizations/organization.ts'
import { organizations } from '#areas/organizations/queries.ts'
import { AdministratorsTicket, AdministratorsTicketFilters } from '#areas/tickets/ticket.ts'
import {
  AdministratorsOrder,
  AdministratorsUser,
  OrderFilters,
  UnfinishedJobFilters,
  UnfinishedJob,
  UserFilters,
} from './administration.ts'
import { createOrganizationForOwner } from './create-organization-for-owner.ts'
import { disableOtherUser } from './disable-other-user.ts'
import { administration } from './queries.ts'
import { retryJob } from './retry-job.ts'

const lists = [
  route({
    method: 'GET',
    path: '/admin/organizations',
    access: administrator,
    purpose: 'List all organizations.',
    query: AdministratorFilters,
    page: OrganizationForAdministrators,
    read: (_, { query }) => organizations.pageOfAll(query),
  }),
  route({
    method: 'GET',
    path: '/admin/users',
    access: administrator,
    purpose: 'List all users.',
    query: UserFilters,
    page: AdministratorsUser,
    read: (_, { query }) => administration.users(query),
  }),
  route({
    method: 'GET',
    path: '/admin/orders',
    access: administrator,
    purpose: 'List the orders of all organizations.',
    query: OrderFilters,
    page: AdministratorsOrder,
    read: (_, { query }) => administration.orders(query),
  }),
  route({
    method: 'GET',
    path: '/admin/invoices',
    access: administrator,
    purpose: 'List the invoices of all organizations.',
    description: '`date_from` and `date_to` filter `issue_date`, both inclusive.',
    query: AdministratorsInvoiceFilters,
    page: AdministratorsInvoice,
    read: ({ now, ports }, { query }) => invoicesOfAll(query, todayAt(now, ports.settings)),
  }),
  route({
    method: 'GET',
    path: '/admin/tickets',
    access: administrator,
    purpose: 'List the tickets of all organizations.',
    query: AdministratorsTicketFilters,
    page: AdministratorsTicket,
    read: (_, { query }) => administration.tickets(query),
  }),
  route({
    method: 'GET',
    path: '/admin/parked',
    access: administrator,
    purpose: 'List the jobs that are parked, failing or late.',
    description:
      '`parked`: given up, waits for staff; `failing`: has been failing for 60 seconds; `late`: has been due for 60 seconds and no worker runs it. `quotes/provision` is a quote that is paid and not fulfilled; `payload.resource_id` is its id.',
    query: UnfinishedJobFilters,
    page: UnfinishedJob,
    read: ({ now }, { query }) => administration.unfinishedJobs(query, now),
  }),
  route({
    method: 'GET',
    path: '/admin/audit-log',
    access: administrator,
    purpose: 'List the audit log of all organizations, or of the service itself.',
    query: AdministratorsFilters,
    page: AdministratorsEntry,
    read: (_, { query }) => auditLog.pageOfAll(query),
  }),
]

const acts = [
  route({
    method: 'POST',
    path: '/admin/parked/{id}/retry',
    access: administrator,
    purpose: 'Retry a job now.',
    description: 'Starts the count of its attempts anew. 404 when the list of parked jobs has no such job.',
    params: ById,
    data: UnfinishedJob,
    run: async (ctx, { params }) => ({ data: await retryJob(ctx, params.id), message: 'The job tries again' }),
  }),
  route({
    method: 'POST',
    path: '/admin/organizations',
    access: administrator,
    purpose: 'Create an organization and invite its owner.',
    description:
      '`name` is required; names with and without the prefix `org_` are accepted. `owner_email` is invited as the owner.',
    body: OrganizationForOwner,
    rules: newOrganizationRules,
    example: { name: 'Acme', owner_email: 'ana@acme.example', status: 'draft' },
    data: OrganizationCreated,
    status: 201,
    fails: ['CONFLICT'],
    before: async (io) => generateInvitation(io),
    run: async (ctx, { body }, invitation) => ({
      data: await createOrganizationForOwner(ctx, body, invitation),
      message: 'Organization created; the owner is invited',
    }),
  }),
  route({
    method: 'POST',
    path: '/admin/organizations/{id}/verify',
    access: administrator,
    purpose: 'Verify an organization.',
    params: ById,
    data: Organization,
    fails: ['CONFLICT'],
    run: async (ctx, { params }) => ({
      data: await decideVerification(await ctx.enter(params.id), verificationMoves.verify),
      message: 'Organization verified',
    }),
  }),
  route({
    method: 'POST',
    path: '/admin/organizations/{id}/reject',
    access: administrator,
    purpose: 'Reject the verification of an organization.',
    params: ById,
    data: Organization,
    fails: ['CONFLICT'],
    run: async (ctx, { params }) => ({
      data: await decideVerification(await ctx.enter(params.id), verificationMoves.reject),
      message: 'Organization rejected',
    }),
  }),
  route({
    method: 'POST',
    path: '/admin/organizations/{id}/restore',
    access: administrator,
    purpose: 'Restore a deleted organization.',
    params: ById,
    data: Organization,
    fails: ['CONFLICT'],
    run: async (ctx, { params }) => ({
      data: await restoreOrganization(await ctx.enter(params.id)),
      message: 'Organization restored',
    }),
  }),
  route({
    method: 'POST',
    path: '/admin/users/{id}/disable',
    access: administrator,
    purpose: 'Disable a user and end all of their sessions.',
    description: 'A disabled user cannot sign in.',
    params: ById,
    data: Type.Null(),
    fails: ['CONFLICT'],
    run: async (ctx, { params }) => {
      await disableOtherUser(ctx, params.id)
      return { data: null, message: 'User disabled' }
    },
  }),
  route({
    method: 'POST',
    path: '/admin/users/{id}/enable',
    access: administrator,
    purpose: 'Enable a disabled user.',
    params: ById,
    data: Type.Null(),
    run: async (ctx, { params }) => {
      await enableUser(ctx, params.id)
      return { data: null, message: 'User enabled' }
    },
  }),
]

export const adminRoutes = [...lists, ...acts]
