// Spec 4.2.
import { Type } from 'typebox'
import { inPath, noStaff, org, orgAtLeast, user, staffNeed } from '#kernel/values/permissions.ts'
import { route } from '#http/route.ts'
import { ById } from '#kernel/values/schema.ts'
import { organizationRecord } from './organization-record.ts'
import { changeOrganization, deleteOrganization, transferOwnership } from './change-organization.ts'
import { askRegistry, checkCnpj, CnpjAnswer, CnpjQuestion } from './check-cnpj.ts'
import { createOrganization } from './create-organization.ts'
import { ByZipcode, getPostalCode, PostalCode } from './get-postal-code.ts'
import { newOrganizationRules, organizationRules } from './organization-fields.ts'
import {
  Organization,
  OrganizationBody,
  OrganizationCreated,
  OrganizationFilters,
  OrganizationSummary,
  Transfer,
} from './organization.ts'
import { organizations } from './queries.ts'

const BOTH_SPELLINGS =
  'Names with and without the prefix `org_` are accepted; a field given in both spellings must say the ' +
  'same. `null` clears. `status`, `parent_id`, `external_id`, `metadata`, `requires_invoice_for_payment`, ' +
  '`tax_issue_rule` and `verification_requires` are staff’s, `require_mfa` is the owner’s.'

export const organizationRoutes = [
  route({
    method: 'GET',
    path: '/organizations',
    access: user,
    purpose: 'List the organizations of the caller.',
    description:
      'Those in which the caller has a membership in force, with their `role` there and fewer fields than the ' +
      'record. Staff find the others at `GET /admin/organizations`.',
    query: OrganizationFilters,
    page: OrganizationSummary,
    read: ({ userId, now }, { query }) => organizations.pageOf(userId, query, now),
  }),
  route({
    method: 'POST',
    path: '/organizations',
    access: user,
    purpose: 'Create an organization with the caller as its owner.',
    description: `\`name\` is required. ${BOTH_SPELLINGS}`,
    body: OrganizationBody,
    rules: newOrganizationRules,
    openapi: {
      example: { name: 'Acme', legal_name: 'Acme Sistemas Ltda.', cnpj: '11.222.333/0001-81', type: 'company' },
    },
    data: OrganizationCreated,
    status: 201,
    fails: ['external_id_taken', 'identifier_taken', 'second_factor_not_tried', 'AUTHORIZATION_ERROR'],
    run: async (ctx, { body }) => ({ data: await createOrganization(ctx, body), message: 'Organization created' }),
  }),
  route({
    method: 'POST',
    path: '/organizations/cnpj-check',
    access: user,
    purpose: 'Check a CNPJ.',
    description: 'Checks the digits, asks the federal registry, and looks for an organization that has it.',
    body: CnpjQuestion,
    openapi: { operationId: 'checkCnpj', example: { cnpj: '11.222.333/0001-81' } },
    data: CnpjAnswer,
    features: { limit: { policy: 'public' } },
    before: (io, { body }) => askRegistry(io, body.cnpj),
    run: async (ctx, { body }, registry) => ({ data: await checkCnpj(ctx, body.cnpj, registry) }),
  }),
  route({
    method: 'GET',
    path: '/postal-codes/{zipcode}',
    access: user,
    purpose: 'Get the address of a Brazilian postal code.',
    description: 'Asks a public directory of postal codes, so that forms can fill an address.',
    params: ByZipcode,
    data: PostalCode,
    features: { limit: { policy: 'public' } },
    before: (io, { params }) => getPostalCode(io, params.zipcode),
    run: async (_ctx, _input, postalCode) => ({ data: postalCode }),
  }),
  route({
    method: 'GET',
    path: '/organizations/{id}',
    access: org('organization'),
    purpose: 'Get an organization.',
    description:
      'With the fields that only staff set, too. `api_last_sync` and `api_data` are always null. 404 once it is ' +
      'deleted.',
    params: ById,
    data: Organization,
    features: { record: organizationRecord },
    read: ({ org: id }, { params }) => organizations.byId(id, params.id),
  }),
  route({
    method: 'PUT',
    path: '/organizations/{id}',
    access: orgAtLeast('admin', 'organization'),
    purpose: 'Update an organization.',
    description: BOTH_SPELLINGS,
    params: ById,
    body: OrganizationBody,
    rules: organizationRules,
    openapi: { example: { phone: '+55 11 5555-0100', website: 'https://acme.example' } },
    data: Organization,
    fails: ['external_id_taken', 'identifier_taken', 'second_factor_not_tried'],
    features: { stepUp: (body) => 'require_mfa' in body },
    run: async (ctx, { body }) => {
      return { data: await changeOrganization(ctx, body), message: 'Organization updated' }
    },
  }),
  route({
    method: 'DELETE',
    path: '/organizations/{id}',
    access: staffNeed(orgAtLeast('owner', 'organization'), 'organization', 'users'),
    purpose: 'Delete an organization.',
    description: 'Administrators can restore it.',
    params: ById,
    data: Type.Null(),
    features: { stepUp: true, dryRun: true },
    run: async (ctx) => {
      await deleteOrganization(ctx)
      return { data: null, message: 'Organization deleted' }
    },
  }),
  route({
    method: 'POST',
    path: '/organizations/{id}/transfer-ownership',
    access: inPath(noStaff(orgAtLeast('owner'))),
    purpose: 'Transfer the ownership of an organization to another collaborator.',
    description: 'The old owner becomes an admin.',
    params: ById,
    body: Transfer,
    openapi: { example: { collaborator_id: 7 } },
    data: Organization,
    fails: ['already_owner', 'heir_not_eligible'],
    features: { stepUp: true },
    run: async (ctx, { body }) => {
      return { data: await transferOwnership(ctx, body.collaborator_id), message: 'Ownership transferred' }
    },
  }),
]
