// Releases for staff: drafts, files, publication, withdrawal, counts (docs/interface/delivery.md, Downloads).
import { Type } from 'typebox'
import { discardFile } from '#modules/documents/files/receive-upload.ts'
import { vendor, staff } from '#kernel/values/permissions.ts'
import { ownBody } from '#http/organization-body.ts'
import { route } from '#http/route.ts'
import { ById, Closed, Id, Paging } from '#kernel/values/schema.ts'
import { addReleaseFile, receiveReleaseFile, removeReleaseFile } from './add-file.ts'
import {
  changeRelease,
  createRelease,
  deleteRelease,
  publishRelease,
  releaseRules,
  restoreRelease,
  yankRelease,
} from './change-release.ts'
import { releases } from './queries.ts'
import { DownloadCount, NewRelease, NewReleaseFile, Release, ReleaseChange, ReleaseFile, Yank } from './release.ts'

const drafts = [
  route({
    method: 'POST',
    path: '/downloads',
    access: staff('downloads'),
    purpose: 'Create a draft of a release.',
    description: '409 when the product has a release of this version, whatever its channel and status.',
    body: NewRelease,
    rules: releaseRules,
    openapi: {
      example: {
        product_id: 1,
        version: '2.2.0',
        release_notes_by_language: { en: 'Restores single files.', 'pt-BR': 'Restaura arquivos avulsos.' },
      },
    },
    data: Release,
    status: 201,
    fails: ['version_taken'],
    run: async (ctx, { body }) => ({ data: await createRelease(ctx, body), message: 'Release created' }),
  }),
  route({
    method: 'PATCH',
    path: '/downloads/{id}',
    access: staff('downloads'),
    purpose: 'Update a release.',
    description: 'Only the given fields change. 409 for the version of a release that was published.',
    params: ById,
    body: ReleaseChange,
    rules: releaseRules,
    openapi: { example: { channel: 'stable' } },
    data: Release,
    fails: ['status_not_allowed', 'version_taken'],
    run: async (ctx, { params, body }) => ({
      data: await changeRelease(ctx, params.id, body),
      message: 'Release updated',
    }),
  }),
  route({
    method: 'DELETE',
    path: '/downloads/{id}',
    access: staff('downloads'),
    purpose: 'Delete a draft of a release, with its files.',
    description: '409 when it was published: yank it.',
    params: ById,
    data: Type.Null(),
    fails: ['status_not_allowed'],
    run: async (ctx, { params }) => {
      await deleteRelease(ctx, params.id)
      return { data: null, message: 'Release deleted' }
    },
  }),
  route({
    method: 'POST',
    path: '/downloads/{id}/files',
    access: staff('downloads'),
    purpose: 'Upload a file of a release.',
    description: '409 when the release was yanked, or has a file of this name.',
    params: ById,
    body: NewReleaseFile,
    openapi: { example: { platform: 'linux', architecture: 'x64' } },
    data: ReleaseFile,
    status: 201,
    fails: ['name_taken', 'status_not_allowed', 'upload_too_slow'],
    features: {
      upload: {
        maxBytes: ({ files }) => files.maxBytes,
        receive: (io, { params }, file) => receiveReleaseFile(io, params.id, file),
        discard: (io, received) => discardFile(io, received),
      },
    },
    run: async (ctx, { params, body }, received) => ({
      data: await addReleaseFile(ctx, params.id, { body, received }),
      message: 'File added',
    }),
  }),
  route({
    method: 'DELETE',
    path: '/downloads/{id}/files/{file_id}',
    access: staff('downloads'),
    purpose: 'Delete a file of a draft.',
    description: 'Its content goes with it. 409 once the release was published: from then on files are only added.',
    params: Closed({ id: Id, file_id: Id }),
    data: Type.Null(),
    fails: ['status_not_allowed'],
    run: async (ctx, { params }) => {
      await removeReleaseFile(ctx, params.id, params.file_id)
      return { data: null, message: 'File removed' }
    },
  }),
]

const moves = [
  route({
    method: 'POST',
    path: '/downloads/{id}/publish',
    access: staff('downloads'),
    purpose: 'Publish a draft.',
    description:
      'Customers whose entitlements cover it see it, and updaters are offered it; nobody is mailed. Its version and ' +
      'files stay from then on, and it can be yanked, but is never a draft again. 409 without a file, and unless it ' +
      'is a draft.',
    params: ById,
    data: Release,
    fails: ['release_has_no_files', 'status_not_allowed'],
    run: async (ctx, { params }) => ({ data: await publishRelease(ctx, params.id), message: 'Release published' }),
  }),
  route({
    method: 'POST',
    path: '/downloads/{id}/yank',
    access: staff('downloads'),
    purpose: 'Yank a release: it is offered no more.',
    description: 'Customers still see it, with the reason. Links to it end at once.',
    params: ById,
    body: Yank,
    openapi: { example: { reason: 'Loses settings of version 1' } },
    data: Release,
    fails: ['status_not_allowed'],
    run: async (ctx, { params, body }) => ({
      data: await yankRelease(ctx, params.id, ownBody(ctx, body).reason),
      message: 'Release yanked',
    }),
  }),
  route({
    method: 'POST',
    path: '/downloads/{id}/restore',
    access: staff('downloads'),
    purpose: 'Offer a yanked release again.',
    description:
      'Customers can have links to it again, and updaters are offered it; the reason why it was yanked is removed. ' +
      '409 unless it is yanked.',
    params: ById,
    data: Release,
    fails: ['status_not_allowed'],
    run: async (ctx, { params }) => ({ data: await restoreRelease(ctx, params.id), message: 'Release restored' }),
  }),
]

const counts = route({
  method: 'GET',
  path: '/admin/downloads/{id}/counts',
  access: vendor('downloads'),
  purpose: 'List how often each organization has downloaded each file of a release.',
  description:
    'A request that begins at the first byte counts, a range that goes on does not. Organizations that have ' +
    'downloaded nothing are not listed.',
  params: ById,
  query: Closed(Paging),
  page: DownloadCount,
  read: (_, { params, query }) => releases.counts(params.id, query),
})

export const downloadStaffRoutes = [...drafts, ...moves, counts]
