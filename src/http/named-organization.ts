// Finds the organization of a request (spec 5.4): the header names it, so does a path below `/organizations/{id}`, and
// an API key belongs to one. The access check refuses requests that name none, and afterwards those whose header and
// path differ.
import type { Credential, KeyCredential } from '#kernel/access/credentials.ts'
import { keyOrganization } from '#kernel/access/callers.ts'
import { AppError, notFound } from '#kernel/values/errors.ts'
import { organizationFrom } from './input.ts'
import type { RequestContext } from './request-context.ts'
import { pathNamesOrganization } from '#kernel/values/permissions.ts'

type NamedOrganization =
  | { organizationId: number; otherInPath?: AppError }
  | { organizationId: null; unnamed: AppError }

export async function namedOrganization(context: RequestContext, credential: Credential): Promise<NamedOrganization> {
  const { route, request } = context
  const header = request.organizationHeader
  const ofPath = pathNamesOrganization(route.path) ? organizationFrom(request.params['id']) : undefined
  if (header === undefined) return withoutHeader(context, credential, ofPath)
  const organizationId = organizationFrom(header)
  if (organizationId === null) return unnamed(malformed())
  // An invalid id in the path is answered with 404 later, by the validation of the path.
  const isOther = typeof ofPath === 'number' && ofPath !== organizationId
  return { organizationId, ...(isOther && { otherInPath: twoOrganizations() }) }
}

async function withoutHeader(
  { route, engine, now }: RequestContext,
  credential: Credential,
  ofPath: number | null | undefined,
): Promise<NamedOrganization> {
  const isHeaderFree = isOfOrganization(credential) || (route.access.kind === 'organization' && route.access.inPath)
  if (!isHeaderFree) return unnamed(malformed())
  if (typeof ofPath === 'number') return { organizationId: ofPath }
  if (ofPath === null) return unnamed(notFound('Organization not found'))
  if (!isOfOrganization(credential)) return unnamed(malformed())
  const [[key] = []] = await engine.database.read('titular_app', [keyOrganization(credential, now)])
  // Without a row the key is unknown, which the access check refuses first.
  return key ? { organizationId: (key as { organization_id: number }).organization_id } : unnamed(malformed())
}

/** A key of the vendor names the organization in the header, as staff do. */
const isOfOrganization = (credential: Credential): credential is KeyCredential =>
  credential.kind === 'api_key' && credential.of === 'organization'

const unnamed = (error: AppError): NamedOrganization => ({ organizationId: null, unnamed: error })

const twoOrganizations = (): AppError =>
  new AppError('BAD_REQUEST', { message: 'X-Service-Organization and the path name two organizations' })

const malformed = (): AppError =>
  new AppError('BAD_REQUEST', { message: 'The header X-Service-Organization must name one organization by its id' })
