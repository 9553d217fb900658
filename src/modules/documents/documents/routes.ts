// The routes of documents (docs/interface/documents.md, Documents).
import { acrossItem } from '#kernel/data/lists/across.ts'
import { Type } from 'typebox'
import { UPLOAD_TYPES } from '#modules/documents/files/content-type.ts'
import { discardFile, receiveFile, UPLOAD_REFUSALS } from '#modules/documents/files/receive-upload.ts'
import { org, vendor } from '#kernel/values/permissions.ts'
import { fileRoute, route, row } from '#http/route.ts'
import { ById, Closed, Paging } from '#kernel/values/schema.ts'
import { documentRecord } from './document-record.ts'
import { addVersion, changeDocument, deleteDocument, receiveVersion } from './change-document.ts'
import { Document, DocumentChange, AdministratorsDocumentFilters, DocumentFilters, NewDocument } from './document.ts'
import { contentForCaller } from './document-content.ts'
import { ContentQuery, DocumentAccess, DocumentVersion, VersionFilters } from './document-version.ts'
import { documents } from './queries.ts'
import { shareRoutes } from './share-routes.ts'
import { newDocumentRules, uploadDocument } from './upload-document.ts'

const records = [
  route({
    method: 'GET',
    path: '/documents',
    access: org('documents'),
    purpose: 'List the documents of the organization.',
    description:
      'Uploaded ones that the caller may read, and the archived ones of records whose scope the caller holds.',
    query: DocumentFilters,
    page: Document,
    features: { record: documentRecord },
    read: ({ org: id }, { query }) => documents.page(id, query),
  }),
  route({
    method: 'GET',
    path: '/admin/documents',
    access: vendor('documents'),
    purpose: 'List the uploaded documents of all organizations.',
    description: 'Newest first, also of deleted organizations. The archived ones are at their records.',
    query: AdministratorsDocumentFilters,
    page: acrossItem(Document),
    features: { record: documentRecord, limitsOrganizations: true, mayBeStale: true },
    read: ({ organizations: only }, { query }) => documents.pageOfAll(query, only),
  }),
  route({
    method: 'POST',
    path: '/documents',
    access: org('documents'),
    purpose: 'Upload a document.',
    description: 'The content type is detected from the content. 409 when a quota of the organization is reached.',
    body: NewDocument,
    rules: newDocumentRules,
    openapi: { example: { name: 'Network plan.pdf', category: 'technical' } },
    data: Document,
    status: 201,
    fails: ['external_id_taken', 'NOT_FOUND', ...UPLOAD_REFUSALS],
    features: {
      upload: {
        maxBytes: ({ files }) => files.maxBytes,
        receive: (io, _input, file) => receiveFile(io, file),
        discard: (io, received) => discardFile(io, received),
      },
    },
    run: async (ctx, { body }, received) => ({
      data: await uploadDocument(ctx, body, received),
      message: 'Document uploaded',
    }),
  }),
  route({
    method: 'GET',
    path: '/documents/{id}',
    access: org('documents'),
    purpose: 'Get a document.',
    description:
      'Uploaded, or the archived PDF of a record, for those who hold the scope of that record too. 404 for one that ' +
      'the caller may not read.',
    params: ById,
    data: Document,
    features: { record: documentRecord },
    read: ({ org: id }, { params }) => documents.byId(id, params.id),
  }),
  route({
    method: 'PATCH',
    path: '/documents/{id}',
    access: org('documents'),
    purpose: 'Update a document.',
    description:
      'Only the given fields change. The uploader, admins and owners decide who may read it; a change of ' +
      'that, but for one to `organization`, revokes its share links.',
    params: ById,
    body: DocumentChange,
    openapi: { example: { name: 'Network plan 2027.pdf', category: 'technical' } },
    data: Document,
    fails: ['archived', 'external_id_taken'],
    run: async (ctx, { params, body }) => ({
      data: await changeDocument(ctx, params.id, body),
      message: 'Document updated',
    }),
  }),
  route({
    method: 'DELETE',
    path: '/documents/{id}',
    access: org('documents'),
    purpose: 'Delete a document with all its versions.',
    description: 'Only staff delete contracts and tax documents. 409 for an archived document.',
    params: ById,
    data: Type.Null(),
    fails: ['archived'],
    run: async (ctx, { params }) => {
      await deleteDocument(ctx, params.id)
      return { data: null, message: 'Document deleted' }
    },
  }),
]

const versions = [
  fileRoute({
    path: '/documents/{id}/content',
    access: org('documents'),
    purpose: 'Download a document.',
    description: 'The current version, or the one of `version`. The reading is logged.',
    contentType: UPLOAD_TYPES,
    params: ById,
    query: ContentQuery,
    openapi: { operationId: 'downloadDocument' },
    read: ({ org: id }, { params, query }) => row(documents.content(id, params.id, query.version ?? null)),
    make: async (io, found) => contentForCaller(io, found),
  }),
  route({
    method: 'GET',
    path: '/documents/{id}/versions',
    access: org('documents'),
    purpose: 'List the versions of a document.',
    description: 'Newest first. A version never changes, and an archived document has one.',
    params: ById,
    query: VersionFilters,
    page: DocumentVersion,
    read: ({ org: id }, { params, query }) => documents.versions(id, params.id, query),
  }),
  route({
    method: 'POST',
    path: '/documents/{id}/versions',
    access: org('documents'),
    purpose: 'Upload the next version of a document.',
    description: 'It becomes the current one; earlier versions stay. Two at once get two numbers.',
    params: ById,
    data: Document,
    status: 201,
    fails: ['archived', ...UPLOAD_REFUSALS],
    features: {
      upload: {
        maxBytes: ({ files }) => files.maxBytes,
        receive: (io, { params }, file) => receiveVersion(io, params.id, file),
        discard: (io, received) => discardFile(io, received),
      },
    },
    run: async (ctx, { params }, received) => ({
      data: await addVersion(ctx, params.id, received),
      message: 'Version uploaded',
    }),
  }),
  route({
    method: 'GET',
    path: '/documents/{id}/accesses',
    access: org('documents'),
    purpose: 'List who read a document.',
    description:
      'For the uploader, admins and owners; 404 for others. Further ranges within an hour count as one reading.',
    params: ById,
    query: Closed(Paging),
    page: DocumentAccess,
    read: ({ org: id }, { params, query }) => documents.accesses(id, params.id, query),
  }),
]

export const documentRoutes = [...records, ...versions, ...shareRoutes]
