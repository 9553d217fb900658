// The routes of share links: managed by those who may read the document, opened by anybody who has one.
import { Type } from 'typebox'
import { org } from '#kernel/values/permissions.ts'
import { route } from '#http/route.ts'
import { ById, Closed, Id, Paging } from '#kernel/values/schema.ts'
import { DocumentShare, NewDocumentShare, ShareRequest } from './document-share.ts'
import { documents } from './queries.ts'
import { revokeShare, shareDocument, shareRules } from './share-document.ts'

export const shareRoutes = [
  route({
    method: 'GET',
    path: '/documents/{id}/shares',
    access: org('documents'),
    purpose: 'List the share links of a document.',
    description: 'Without their addresses; revoked and expired ones too.',
    params: ById,
    query: Closed(Paging),
    page: DocumentShare,
    read: ({ org: id }, { params, query }) => documents.shares(id, params.id, query),
  }),
  route({
    method: 'POST',
    path: '/documents/{id}/shares',
    access: org('documents'),
    purpose: 'Create a share link.',
    description:
      'Whoever has its `url` may download the current version, without an account, until it expires or is ' +
      'revoked. Each reading is logged.',
    params: ById,
    body: ShareRequest,
    rules: shareRules,
    openapi: { example: { expires_in: 86_400, note: 'For the accountant' } },
    data: NewDocumentShare,
    status: 201,
    fails: ['limit_reached', 'staff_only_document'],
    features: { secret: true },
    run: async (ctx, { params, body }) => ({
      data: await shareDocument(ctx, params.id, body),
      message: 'Share link created; keep its address, it is not shown again',
    }),
  }),
  route({
    method: 'DELETE',
    path: '/documents/{id}/shares/{share_id}',
    access: org('documents'),
    purpose: 'Delete a share link.',
    description:
      'Its address is 404 from then on, for good; the document and its other links stay, and so does the log of who ' +
      'read it. Revoking it again succeeds.',
    params: Closed({ id: Id, share_id: Id }),
    data: Type.Null(),
    run: async (ctx, { params }) => {
      await revokeShare(ctx, params.id, params.share_id)
      return { data: null, message: 'Share link revoked' }
    },
  }),
]
