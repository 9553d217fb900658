// docs/interface/operations.md, Privacy: what a person and an organization may do with their data.
import { open, orgAtLeast, SCOPE_NAMES, staffNeed, user } from '#kernel/values/permissions.ts'
import { NEWEST_EXPORTS } from '#modules/documents/files/kept-exports.ts'
import { notFound } from '#kernel/values/errors.ts'
import { parts, route } from '#http/route.ts'
import { ById, Closed, Pages } from '#kernel/values/schema.ts'
import { Consent, ConsentPaging, NewConsent, Purpose } from './consent.ts'
import { listedPurposes, recordConsent } from './consents.ts'
import { Erasure } from './erasure.ts'
import { ExportLink, ExportPaging, OrganizationExport, PersonExport } from './export.ts'
import { linkTo, OF_ORGANIZATION, OF_PERSON } from './export-link.ts'
import { consents, erasures, organizationExports, personExports } from './queries.ts'
import { cancelErasure, requestErasure, withKept } from './request-erasure.ts'
import { requestOrganizationExport, requestPersonExport } from './request-export.ts'

const AS_NDJSON =
  'A job makes the file, NDJSON compressed with gzip: a line that says what it is, then one for each ' +
  `record with its \`table\`. All is as of one moment. It has no secrets. 409 while another one is being ` +
  `made; the newest ${NEWEST_EXPORTS} are kept.`

const ofPerson = [
  route({
    method: 'POST',
    path: '/privacy/exports',
    access: user,
    purpose: 'Request an export of what is kept about the caller.',
    description: AS_NDJSON,
    openapi: { operationId: 'createPersonExport' },
    data: PersonExport,
    status: 202,
    fails: ['already_in_progress'],
    features: { stepUp: true, limit: { policy: 'credentials' } },
    run: async (ctx) => ({
      data: await requestPersonExport(ctx, ctx.caller.userId ?? 0),
      message: 'The export is being made',
    }),
  }),
  route({
    method: 'GET',
    path: '/privacy/exports',
    access: user,
    purpose: 'List the caller’s exports.',
    description: 'Newest first, those that staff requested for the caller too.',
    query: ExportPaging,
    openapi: { operationId: 'listPersonExports' },
    page: PersonExport,
    read: ({ userId }, { query }) => personExports.page({ ...query, user_id: userId }),
  }),
  route({
    method: 'GET',
    path: '/privacy/exports/{id}',
    access: user,
    purpose: 'Get one of the caller’s exports.',
    description: 'Once it is `completed`, `POST /privacy/exports/{id}/link` gives the link to its file.',
    params: ById,
    openapi: { operationId: 'getPersonExport' },
    data: PersonExport,
    read: ({ userId }, { params }) => personExports.byId(params.id, userId),
  }),
  route({
    method: 'POST',
    path: '/privacy/exports/{id}/link',
    access: user,
    purpose: 'Create a link to one of the caller’s exports.',
    description: 'The link needs no credentials and is good for some minutes. 409 unless the export is completed.',
    params: ById,
    openapi: { operationId: 'createPersonExportLink' },
    data: ExportLink,
    fails: ['status_not_allowed'],
    features: { secret: true, stepUp: true },
    read: (context, { params }) => linkTo(OF_PERSON, context, { owner: context.userId, id: params.id }),
  }),
]

/**
 * The file has what an owner with every scope sees, and no owner from whom the vendor hides one gets it; staff need
 * that of the audit logs too.
 */
const ofOwner = staffNeed(orgAtLeast('owner', ...SCOPE_NAMES), 'audit', ...SCOPE_NAMES)

const ofOrganization = [
  route({
    method: 'POST',
    path: '/privacy/organization-exports',
    access: ofOwner,
    purpose: 'Request an export of all records of the organization.',
    description:
      `${AS_NDJSON} It has what an owner with every scope may see; uploaded files and documents are ` +
      'listed with their hash, and downloaded by themselves.',
    openapi: { operationId: 'createOrganizationExport' },
    data: OrganizationExport,
    status: 202,
    fails: ['already_in_progress'],
    features: { stepUp: true },
    run: async (ctx) => ({ data: await requestOrganizationExport(ctx), message: 'The export is being made' }),
  }),
  route({
    method: 'GET',
    path: '/privacy/organization-exports',
    access: ofOwner,
    purpose: 'List the exports of the organization.',
    description: 'Newest first, those that failed or whose file has expired too.',
    query: ExportPaging,
    openapi: { operationId: 'listOrganizationExports' },
    page: OrganizationExport,
    read: ({ org: id }, { query }) => organizationExports.page(id, query),
  }),
  route({
    method: 'GET',
    path: '/privacy/organization-exports/{id}',
    access: ofOwner,
    purpose: 'Get an export of the organization.',
    description: 'Once it is `completed`, `POST /privacy/organization-exports/{id}/link` gives the link to its file.',
    params: ById,
    openapi: { operationId: 'getOrganizationExport' },
    data: OrganizationExport,
    read: ({ org: id }, { params }) => organizationExports.byId(id, params.id),
  }),
  route({
    method: 'POST',
    path: '/privacy/organization-exports/{id}/link',
    access: ofOwner,
    purpose: 'Create a link to an export of the organization.',
    description: 'The link needs no credentials and is good for some minutes. 409 unless the export is completed.',
    params: ById,
    openapi: { operationId: 'createOrganizationExportLink' },
    data: ExportLink,
    fails: ['status_not_allowed'],
    features: { secret: true, stepUp: true },
    read: (context, { params }) => linkTo(OF_ORGANIZATION, context, { owner: context.org, id: params.id }),
  }),
]

const rights = [
  route({
    method: 'POST',
    path: '/privacy/erasure',
    access: user,
    purpose: 'Request that the caller be erased.',
    description:
      'It begins at `due_at`; until then it can be cancelled. The account ends, and name, addresses and ' +
      'sessions are erased everywhere but in what `kept` lists. 409 for the owner of an organization, and ' +
      'for the last administrator.',
    openapi: { operationId: 'createErasure' },
    data: Erasure,
    status: 202,
    fails: ['already_in_progress', 'last_administrator', 'last_owner'],
    features: { stepUp: true },
    run: async (ctx) => ({
      data: await requestErasure(ctx, ctx.caller.userId ?? 0),
      message: 'The erasure is scheduled',
    }),
  }),
  route({
    method: 'GET',
    path: '/privacy/erasure',
    access: user,
    purpose: 'Get the latest erasure that was requested of the caller.',
    description: '`kept` is what stays, with why and until when. 404 when none was requested.',
    openapi: { operationId: 'getErasure' },
    data: Erasure,
    fails: ['NOT_FOUND'],
    read: ({ userId, ports }) =>
      parts([erasures.latestOf(ports.settings, userId)], ([[found]]) => {
        if (!found) throw notFound()
        return withKept(found)
      }),
  }),
  route({
    method: 'POST',
    path: '/privacy/erasure/cancel',
    access: user,
    purpose: 'Cancel the erasure of the caller.',
    description: '409 unless one is scheduled.',
    openapi: { operationId: 'cancelErasure' },
    data: Erasure,
    fails: ['status_not_allowed'],
    run: async (ctx) => ({
      data: await cancelErasure(ctx, ctx.caller.userId ?? 0),
      message: 'The erasure is cancelled',
    }),
  }),
  route({
    method: 'GET',
    path: '/privacy/purposes',
    access: open,
    purpose: 'List the purposes for which personal data are processed, with their legal basis.',
    description: 'With the article of the law, in Portuguese and English.',
    query: Closed(Pages),
    page: Purpose,
    features: { limit: { policy: 'public' } },
    read: (_, { query }) => ({ kind: 'list', page: query, items: listedPurposes() }),
  }),
  route({
    method: 'GET',
    path: '/privacy/consents',
    access: user,
    purpose: 'List what the caller agreed to, and withdrew.',
    description: 'Newest first. None ever changes; the latest of each `purpose` counts.',
    query: ConsentPaging,
    openapi: { operationId: 'listConsents' },
    page: Consent,
    read: ({ userId }, { query }) => consents.page(userId, query),
  }),
  route({
    method: 'POST',
    path: '/privacy/consents',
    access: user,
    purpose: 'Record that the caller agrees to a text, or withdraws it.',
    description: 'What was recorded never changes; the latest record of a purpose counts.',
    body: NewConsent,
    openapi: { operationId: 'createConsent', example: { purpose: 'product_news', version: '2026-11', is_given: true } },
    data: Consent,
    status: 201,
    run: async (ctx, { body, raw }) => ({
      data: await recordConsent(ctx, body, raw.headers['x-service-nonce'] !== undefined),
      message: 'Recorded',
    }),
  }),
]

export const privacyRoutes = [...ofPerson, ...ofOrganization, ...rights]
