// docs/interface/operations.md, Privacy: what a person and an organization may do with their data.
import { Type } from 'typebox'
import { open, orgAtLeast, SCOPE_NAMES, staffNeed, user } from '#kernel/values/permissions.ts'
import { NEWEST_EXPORTS } from '#modules/documents/files/kept-exports.ts'
import { notFound } from '#kernel/values/errors.ts'
import { fileRoute, parts, route } from '#http/route.ts'
import { ById, Closed, Pages } from '#kernel/values/schema.ts'
import { Consent, ConsentPaging, NewConsent, Purpose } from './consent.ts'
import { listedPurposes, recordConsent } from './consents.ts'
import { Erasure } from './erasure.ts'
import { ExportLink, ExportPaging, OrganizationExport, PersonExport } from './export.ts'
import { exportContent, followExportLink, linkTo, OF_ORGANIZATION, OF_PERSON } from './export-link.ts'
import { consents, erasures, organizationExports, personExports } from './queries.ts'
import { cancelErasure, requestErasure, withKept } from './request-erasure.ts'
import { requestOrganizationExport, requestPersonExport } from './request-export.ts'
import { EXPORT_TYPE } from './write-export.ts'

const ByLink = Closed({ link: Type.String({ maxLength: 200, examples: ['7.1.1795000000.c2ln'] }) })
const LINK_ENDS = '404 once the link has expired, or the export has.'
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
    openapi: { operationId: 'requestPersonExport' },
    data: PersonExport,
    status: 202,
    fails: ['CONFLICT'],
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
    description: 'Once it is `ready`, `POST /privacy/exports/{id}/link` gives the link to its file.',
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
    description: 'The link needs no credentials and is good for some minutes. 409 unless the export is ready.',
    params: ById,
    openapi: { operationId: 'linkPersonExport' },
    data: ExportLink,
    fails: ['CONFLICT'],
    features: { secret: true, stepUp: true },
    read: (context, { params }) => linkTo(OF_PERSON, context, { owner: context.userId, id: params.id }),
  }),
  fileRoute({
    path: '/privacy/exports/links/{link}',
    access: open,
    purpose: 'Download an export of a person by a link.',
    description: LINK_ENDS,
    params: ByLink,
    openapi: { operationId: 'followPersonExportLink' },
    contentType: EXPORT_TYPE,
    read: (context, { params }) => followExportLink(OF_PERSON, context, params.link),
    make: exportContent,
  }),
]

/** The file has all that the owner sees, so staff need every scope of it, and that of the audit logs. */
const ofOwner = staffNeed(orgAtLeast('owner', 'organization'), 'audit', ...SCOPE_NAMES)

const ofOrganization = [
  route({
    method: 'POST',
    path: '/privacy/organization-exports',
    access: ofOwner,
    purpose: 'Request an export of all records of the organization.',
    description:
      `${AS_NDJSON} It has what the owner may see; uploaded files and documents are listed with their ` +
      'hash, and downloaded by themselves.',
    openapi: { operationId: 'requestOrganizationExport' },
    data: OrganizationExport,
    status: 202,
    fails: ['CONFLICT'],
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
    description: 'Once it is `ready`, `POST /privacy/organization-exports/{id}/link` gives the link to its file.',
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
    description: 'The link needs no credentials and is good for some minutes. 409 unless the export is ready.',
    params: ById,
    openapi: { operationId: 'linkOrganizationExport' },
    data: ExportLink,
    fails: ['CONFLICT'],
    features: { secret: true, stepUp: true },
    read: (context, { params }) => linkTo(OF_ORGANIZATION, context, { owner: context.org, id: params.id }),
  }),
  fileRoute({
    path: '/privacy/organization-exports/links/{link}',
    access: open,
    purpose: 'Download an export of an organization by a link.',
    description: LINK_ENDS,
    params: ByLink,
    openapi: { operationId: 'followOrganizationExportLink' },
    contentType: EXPORT_TYPE,
    read: (context, { params }) => followExportLink(OF_ORGANIZATION, context, params.link),
    make: exportContent,
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
    openapi: { operationId: 'requestErasure' },
    data: Erasure,
    status: 202,
    fails: ['CONFLICT'],
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
      parts([erasures.latestOf(userId)], ([[found]]) => {
        if (!found) throw notFound()
        return withKept(ports, found)
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
    fails: ['CONFLICT'],
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
    openapi: { operationId: 'listPrivacyPurposes' },
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
    openapi: { operationId: 'recordConsent', example: { purpose: 'product_news', version: '2026-11', is_given: true } },
    data: Consent,
    status: 201,
    run: async (ctx, { body, raw }) => ({
      data: await recordConsent(ctx, body, raw.headers['x-service-nonce'] !== undefined),
      message: 'Recorded',
    }),
  }),
]

export const privacyRoutes = [...ofPerson, ...ofOrganization, ...rights]
