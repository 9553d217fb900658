// Releases for customers, their links, and the question of an updater (docs/interface/delivery.md, Downloads).
import { domainRules } from '#modules/delivery/licenses/license-domain.ts'
import { open, org } from '#kernel/values/permissions.ts'
import { route } from '#http/route.ts'
import { ById } from '#kernel/values/schema.ts'
import { linkToRelease } from './download-link.ts'
import { latestRelease, UpdateAnswer, UpdateQuestion } from './latest-release.ts'
import { releases } from './queries.ts'
import { DownloadLink, LinkRequest, Release, ReleaseFilters } from './release.ts'

export const downloadRoutes = [
  route({
    method: 'GET',
    path: '/downloads',
    access: org('downloads'),
    purpose: 'List the releases that the organization may have.',
    description:
      'By product, the newest version first. Customers see what an active PLG entitlement of theirs covers, ' +
      'staff every release.',
    query: ReleaseFilters,
    page: Release,
    read: ({ org: id, now }, { query }) => releases.page(id, query, now),
  }),
  route({
    method: 'GET',
    path: '/downloads/{id}',
    access: org('downloads'),
    purpose: 'Get a release.',
    description:
      'Customers get a release that an active PLG entitlement of theirs covers (`entitlement_ids`), a yanked one ' +
      'with the reason. Drafts and all others are 404 for them.',
    params: ById,
    data: Release,
    read: ({ org: id, now }, { params }) => releases.byId(id, params.id, now),
  }),
  route({
    method: 'POST',
    path: '/downloads/{id}/link',
    access: org('downloads'),
    purpose: 'Create a link to a file of a release.',
    description:
      'The link needs no credentials and is good for some minutes. 409 when the release was yanked, or no ' +
      'entitlement of the organization covers it.',
    params: ById,
    body: LinkRequest,
    openapi: { operationId: 'createDownloadLink', example: { file_id: 1 } },
    data: DownloadLink,
    fails: ['not_entitled', 'status_not_allowed'],
    features: { secret: true },
    read: (context, { params, body }) => linkToRelease(context, { id: params.id, fileId: body.file_id }),
  }),
  route({
    method: 'POST',
    path: '/downloads/latest',
    access: open,
    purpose: 'Check for a newer release with a license key.',
    description: 'For the updater of an installed product. The answer is 200 whether or not the key is valid.',
    body: UpdateQuestion,
    rules: domainRules,
    openapi: {
      operationId: 'checkForUpdate',
      example: {
        license_key: '7K3QD-M9XHT-2VWRA-C4PZN-8FJBE',
        domain: 'shop.acme.example',
        platform: 'linux',
        architecture: 'x64',
        current_version: '2.0.1',
      },
    },
    data: UpdateAnswer,
    features: { secret: true, limit: { policy: 'public' } },
    read: (context, { body }) => latestRelease(context, body),
  }),
]
