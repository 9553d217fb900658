// Work across organizations: staff only, no organization header, each request audited by the pipeline.
import { newOrganizationRules, noOwnerRules } from '#modules/identity/organizations/organization-fields.ts'
import { Type } from 'typebox'
import { vendor } from '#kernel/values/permissions.ts'
import { route } from '#http/route.ts'
import { ById } from '#kernel/values/schema.ts'
import { AdministratorsEntry, AdministratorsFilters } from '#modules/operations/audit-log/audit-entry.ts'
import { auditLog } from '#modules/operations/audit-log/queries.ts'
import { enableUser } from '#modules/identity/auth/disable-user.ts'
import { resetSecondFactors, SecondFactorReset } from '#modules/identity/auth/second-factors/reset-second-factors.ts'
import { generateInvitation } from '#modules/identity/collaborators/invitation.ts'
import { decideVerification, restoreOrganization } from '#modules/identity/organizations/change-organization.ts'
import { organizations } from '#modules/identity/organizations/queries.ts'
import {
  AdministratorFilters,
  Organization,
  OrganizationCreated,
  OrganizationForAdministrators,
  OrganizationForOwner,
  verificationMoves,
} from '#modules/identity/organizations/organization.ts'
import { cancelScheduledErasure } from '#modules/operations/privacy/request-organization-erasure.ts'
import { AdministratorsUser, UnfinishedJob, UnfinishedJobFilters, UserFilters } from './administration.ts'
import { createOrganizationForOwner } from './create-organization-for-owner.ts'
import { disableOtherUser } from './disable-other-user.ts'
import { administration } from './queries.ts'
import { retryJob } from './retry-job.ts'

const lists = [
  route({
    method: 'GET',
    path: '/admin/organizations',
    access: vendor('organization'),
    purpose: 'List all organizations.',
    description:
      'Newest first. Deleted ones are left out; with `deleted=true` there are these only. `owner_email` is null ' +
      'until an invited owner accepts.',
    query: AdministratorFilters,
    page: OrganizationForAdministrators,
    features: { limitsOrganizations: true },
    read: ({ organizations: only }, { query }) => organizations.pageOfAll(query, only),
  }),
  route({
    method: 'GET',
    path: '/admin/users',
    access: vendor('users'),
    purpose: 'List all users.',
    description: 'Newest first, disabled ones too. `organization_ids` are where they are members, invites left out.',
    query: UserFilters,
    page: AdministratorsUser,
    read: (_, { query }) => administration.users(query),
  }),
  route({
    method: 'GET',
    path: '/admin/jobs',
    access: vendor('jobs'),
    purpose: 'List the dead letters, and the jobs that are failing or late.',
    description:
      '`dead_letter`: given up, waits for staff; `failing`: has been failing for 60 seconds; `late`: has been ' +
      'due for 60 seconds and no worker runs it. `quotes/provision` is a quote that is paid and not ' +
      'fulfilled; `payload.resource_id` is its id.',
    query: UnfinishedJobFilters,
    page: UnfinishedJob,
    features: { limitsOrganizations: true },
    read: ({ now, organizations: only }, { query }) => administration.unfinishedJobs(query, only, now),
  }),
  route({
    method: 'GET',
    path: '/admin/audit-log',
    access: vendor('audit'),
    purpose: 'List the audit log of all organizations, or of the service itself.',
    description:
      'Newest first; with `log=service` the service’s own log instead. Filters other than that of the time read on ' +
      'until they find a page, which may take long.',
    query: AdministratorsFilters,
    page: AdministratorsEntry,
    features: { limitsOrganizations: true },
    read: ({ organizations: only }, { query }) => auditLog.pageOfAll(query, only),
  }),
]

const acts = [
  route({
    method: 'POST',
    path: '/admin/jobs/{id}/retry',
    access: vendor('jobs'),
    purpose: 'Retry a job now.',
    description: 'Starts the count of its attempts anew. 404 when the list has no such job.',
    params: ById,
    data: UnfinishedJob,
    run: async (ctx, { params }) => ({ data: await retryJob(ctx, params.id), message: 'The job tries again' }),
  }),
  route({
    method: 'POST',
    path: '/admin/organizations',
    access: vendor('organization'),
    purpose: 'Create an organization and invite its owner.',
    description:
      '`name` is required; names with and without the prefix `org_` are accepted. `owner_email` is invited ' +
      'as the owner, who alone sets `require_mfa`. `contacts_payment` and `contacts_support` need the ' +
      'scopes of a contact.',
    body: OrganizationForOwner,
    rules: (body, asked) => ({ ...newOrganizationRules(body, asked), ...noOwnerRules(body) }),
    openapi: { example: { name: 'Acme', owner_email: 'ana@acme.example', status: 'draft' } },
    data: OrganizationCreated,
    status: 201,
    fails: ['external_id_taken', 'identifier_taken'],
    before: async (io) => generateInvitation(io),
    run: async (ctx, { body }, invitation) => ({
      data: await createOrganizationForOwner(ctx, body, invitation),
      message: 'Organization created; the owner is invited',
    }),
  }),
  route({
    method: 'POST',
    path: '/admin/organizations/{id}/verify',
    access: vendor('organization'),
    purpose: 'Verify an organization.',
    description:
      'It may accept quotes and request payouts where `verification_requires` held them back, and contacts who have ' +
      'not confirmed yet get a mail that asks them to. Rejecting takes it back, and so does a new CNPJ or legal ' +
      'name by its members. 409 when it is verified.',
    params: ById,
    data: Organization,
    fails: ['status_not_allowed'],
    run: async (ctx, { params }) => ({
      data: await decideVerification(await ctx.enter(params.id), verificationMoves.verify),
      message: 'Organization verified',
    }),
  }),
  route({
    method: 'POST',
    path: '/admin/organizations/{id}/reject',
    access: vendor('organization'),
    purpose: 'Reject the verification of an organization.',
    description:
      'Also of one that was verified; `verified_at` is null then, and contacts without an account get no more ' +
      'mails. Its members keep their access. 409 when it is rejected already; verifying takes it back.',
    params: ById,
    data: Organization,
    fails: ['status_not_allowed'],
    run: async (ctx, { params }) => ({
      data: await decideVerification(await ctx.enter(params.id), verificationMoves.reject),
      message: 'Organization rejected',
    }),
  }),
  route({
    method: 'POST',
    path: '/admin/organizations/{id}/restore',
    access: vendor('organization'),
    purpose: 'Restore a deleted organization.',
    description: 'An erasure of it that is scheduled is cancelled.',
    params: ById,
    data: Organization,
    fails: ['identifier_taken', 'not_deleted', 'status_not_allowed'],
    run: async (ctx, { params }) => {
      const data = await restoreOrganization(await ctx.enter(params.id))
      await cancelScheduledErasure(ctx, params.id, 'The organization was restored')
      return { data, message: 'Organization restored' }
    },
  }),
  route({
    method: 'POST',
    path: '/admin/users/{id}/disable',
    access: vendor('users'),
    purpose: 'Disable a user and end all of their sessions.',
    description: 'A disabled user cannot sign in.',
    params: ById,
    data: Type.Null(),
    fails: ['last_administrator', 'own_account'],
    run: async (ctx, { params }) => {
      await disableOtherUser(ctx, params.id)
      return { data: null, message: 'User disabled' }
    },
  }),
  route({
    method: 'POST',
    path: '/admin/users/{id}/enable',
    access: vendor('users'),
    purpose: 'Enable a disabled user.',
    description: '409 for a person who was erased.',
    params: ById,
    data: Type.Null(),
    fails: ['status_not_allowed'],
    run: async (ctx, { params }) => {
      await enableUser(ctx, params.id)
      return { data: null, message: 'User enabled' }
    },
  }),
  route({
    method: 'POST',
    path: '/admin/users/{id}/reset-second-factors',
    access: vendor('users'),
    purpose: 'Remove the second factors of a user who has lost them.',
    description:
      'Authenticator app, recovery codes and passkeys; all sessions end. The password stays, and the person ' +
      'gets a mail. Make sure first that it is the person who asks.',
    params: ById,
    body: SecondFactorReset,
    openapi: { operationId: 'resetSecondFactors', example: { reason: 'Lost the phone; called back' } },
    data: Type.Null(),
    fails: ['own_account'],
    features: { stepUp: true },
    run: async (ctx, { params, body }) => {
      await resetSecondFactors(ctx, params.id, body)
      return { data: null, message: 'Second factors removed' }
    },
  }),
]

export const adminRoutes = [...lists, ...acts]
