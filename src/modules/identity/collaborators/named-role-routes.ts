// The named roles of the organization (docs/interface/identity.md, Named roles).
import { Type } from 'typebox'
import { org, orgAtLeast } from '#kernel/values/permissions.ts'
import { route } from '#http/route.ts'
import { ById } from '#kernel/values/schema.ts'
import { changeNamedRole, createNamedRole, removeNamedRole } from './change-named-role.ts'
import { NamedRole, NamedRoleChange, NamedRolePaging, NewNamedRole } from './named-role.ts'
import { namedRoles } from './named-role-queries.ts'

const ADMIN = orgAtLeast('admin', 'organization')

export const namedRoleRoutes = [
  route({
    method: 'GET',
    path: '/roles',
    access: org('organization'),
    purpose: 'List the named roles of the organization.',
    description: 'Newest first. Who has a role is in the list of collaborators (`named_role_id`).',
    query: NamedRolePaging,
    page: NamedRole,
    read: ({ org: id }, { query }) => namedRoles.page(id, query),
  }),
  route({
    method: 'POST',
    path: '/roles',
    access: ADMIN,
    purpose: 'Create a named role.',
    description: 'A bundle of scopes, given to members by `named_role_id`. 403 for a scope that the caller lacks.',
    body: NewNamedRole,
    openapi: {
      example: { name: 'Accounting', description: 'Pays and keeps the books', scopes: ['finances', 'orders'] },
    },
    data: NamedRole,
    status: 201,
    fails: ['limit_reached', 'name_taken'],
    run: async (ctx, { body }) => ({ data: await createNamedRole(ctx, body), message: 'Role created' }),
  }),
  route({
    method: 'GET',
    path: '/roles/{id}',
    access: org('organization'),
    purpose: 'Get a named role.',
    description: 'Its `scopes` are the flags of each member and invite that has it.',
    params: ById,
    data: NamedRole,
    read: ({ org: id }, { params }) => namedRoles.byId(id, params.id),
  }),
  route({
    method: 'PATCH',
    path: '/roles/{id}',
    access: ADMIN,
    purpose: 'Update a named role.',
    description:
      'Only the given fields change. Other `scopes` count for all its members from their next request on; ' +
      '403 when a member is not below the caller, or a scope is added that the caller lacks.',
    params: ById,
    body: NamedRoleChange,
    openapi: { example: { scopes: ['finances', 'orders', 'contracts'] } },
    data: NamedRole,
    fails: ['name_taken'],
    run: async (ctx, { params, body }) => ({
      data: await changeNamedRole(ctx, params.id, body),
      message: 'Role updated',
    }),
  }),
  route({
    method: 'DELETE',
    path: '/roles/{id}',
    access: ADMIN,
    purpose: 'Delete a named role.',
    description: '409 while members or invites have it.',
    params: ById,
    data: Type.Null(),
    fails: ['role_in_use'],
    run: async (ctx, { params }) => {
      await removeNamedRole(ctx, params.id)
      return { data: null, message: 'Role removed' }
    },
  }),
]
