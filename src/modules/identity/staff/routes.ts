// The endpoints of staff: appointing, changing and removing people, and entering an organization with a reason.
import { Type } from 'typebox'
import { anyStaff, vendor } from '#kernel/values/permissions.ts'
import { route, row } from '#http/route.ts'
import { ById } from '#kernel/values/schema.ts'
import { appointStaff } from './appoint-staff.ts'
import { changeStaff, removeStaff } from './change-staff.ts'
import { endEntry } from './end-entry.ts'
import { enterOrganization } from './enter-organization.ts'
import { staffEntries } from './entry-queries.ts'
import { staffMembers } from './queries.ts'
import { NewStaffEntry, StaffEntry, StaffEntryFilters, StaffEntryOfAll } from './staff-entry.ts'
import { NewStaffMember, Removal, StaffFilters, StaffMember, StaffRoles } from './staff-member.ts'

export const staffRoutes = [
  route({
    method: 'GET',
    path: '/admin/staff',
    access: vendor('staff'),
    purpose: 'List the vendor’s staff.',
    description:
      'Newest account first. Disabled people are there too, and those whose address is not verified yet, whose ' +
      'roles have no effect until then.',
    query: StaffFilters,
    page: StaffMember,
    read: (_, { query }) => staffMembers.page(query),
  }),
  route({
    method: 'GET',
    path: '/admin/staff/{id}',
    access: vendor('staff'),
    purpose: 'Get a person of the vendor’s staff.',
    description: '404 for an account that is not, or no longer, of the staff.',
    params: ById,
    openapi: { operationId: 'getStaffMember' },
    data: StaffMember,
    read: (_, { params }) => row(staffMembers.one(params.id)),
  }),
  route({
    method: 'POST',
    path: '/admin/staff',
    access: vendor('staff'),
    purpose: 'Appoint a person to the vendor’s staff.',
    description:
      'An address without an account, or with one that is not verified, gets a link; the roles count once ' +
      'it is verified. The sessions of the account end. 409 for one who is staff already, or disabled.',
    body: NewStaffMember,
    openapi: {
      operationId: 'createStaffMember',
      example: { email: 'rui@vendor.example', name: 'Rui Prado', roles: ['support'], reason: 'Joins the support team' },
    },
    data: StaffMember,
    status: 201,
    fails: ['account_disabled', 'already_staff', 'email_taken'],
    features: { stepUp: true },
    before: async ({ ports }) => ports,
    run: async (ctx, { body }, ports) => ({ data: await appointStaff(ctx, body, ports), message: 'Appointed' }),
  }),
  route({
    method: 'PUT',
    path: '/admin/staff/{id}',
    access: vendor('staff'),
    purpose: 'Update the roles of a person of staff.',
    description: 'Counts from the next request of the person on. 409 where no administrator would be left.',
    params: ById,
    body: StaffRoles,
    openapi: {
      operationId: 'updateStaffMember',
      example: { roles: ['support', 'operations'], reason: 'Also looks after environments' },
    },
    data: StaffMember,
    fails: ['last_administrator'],
    features: { stepUp: true },
    run: async (ctx, { params, body }) => ({
      data: await changeStaff(ctx, params.id, body),
      message: 'Roles changed',
    }),
  }),
  route({
    method: 'DELETE',
    path: '/admin/staff/{id}',
    access: vendor('staff'),
    purpose: 'Delete a person from the vendor’s staff.',
    description:
      'The account stays, without any role of staff, from its next request on. `reason` is kept in the ' +
      'audit log. 409 where no administrator would be left.',
    params: ById,
    query: Removal,
    openapi: { operationId: 'deleteStaffMember' },
    data: Type.Null(),
    fails: ['last_administrator'],
    features: { stepUp: true },
    run: async (ctx, { params, query }) => {
      await removeStaff(ctx, params.id, query.reason)
      return { data: null, message: 'Removed from staff' }
    },
  }),
  route({
    method: 'POST',
    path: '/admin/organizations/{id}/entries',
    access: anyStaff,
    purpose: 'Say why you enter an organization, for a time.',
    description:
      'With the setting `staff_entry` as `reason`, staff get into an organization only while such an entry of theirs ' +
      'lasts. The reason stands in the organization’s audit log with the entry, and with each request that is made ' +
      'under it.',
    params: ById,
    body: NewStaffEntry,
    openapi: {
      example: { reason: 'Ticket SR-20260042: the license does not activate', minutes: 30 },
    },
    data: StaffEntry,
    status: 201,
    features: { person: true },
    run: async (ctx, { params, body }) => ({
      data: await enterOrganization(ctx, params.id, body),
      message: 'You may enter',
    }),
  }),
  route({
    method: 'GET',
    path: '/admin/entries',
    access: vendor('organization'),
    purpose: 'List which staff entered which organization, why, and until when.',
    description:
      'Newest first, those that are over too; with `in_force=true` the others only. The organization reads them in ' +
      'its own audit log.',
    query: StaffEntryFilters,
    page: StaffEntryOfAll,
    features: { limitsOrganizations: true },
    read: ({ organizations: only, now }, { query }) => staffEntries.pageOfAll(query, only, now),
  }),
  route({
    method: 'POST',
    path: '/admin/entries/{id}/end',
    access: anyStaff,
    purpose: 'End an entry before its time.',
    description:
      'The caller’s own; administrators end those of others, too (403 for all others). With ' +
      'the setting `staff_entry` as `reason`, the person is refused from their next request on, unless another entry ' +
      'of theirs is in force. 409 for an entry that is over.',
    params: ById,
    data: StaffEntry,
    fails: ['status_not_allowed'],
    features: { person: true },
    run: async (ctx, { params }) => ({ data: await endEntry(ctx, params.id), message: 'The entry has ended' }),
  }),
]
