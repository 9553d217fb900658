// Which organization a request is about (spec 5.4): the header says it, the path of `/organizations/{id}` too, and an API
// key belongs to one. All that say it must agree. What names none is told only in its turn, by the door.
import type { Credential } from './credentials.ts'
import { keyOrganization } from './access-check.ts'
import { AppError, notFound } from '#kernel/http/errors.ts'
import { organizationFrom } from '#kernel/http/input.ts'
import type { RequestContext } from '#kernel/http/request-context.ts'
import { pathNamesOrganization } from './permissions.ts'

export type NamedOrganization =
  | { organizationId: number; unnamed?: never }
  | { organizationId: null; unnamed: AppError }

export async function namedOrganization(pass: RequestContext, credential: Credential): Promise<NamedOrganization> {
  const { route, request } = pass
  const header = request.organizationHeader
  const ofPath = pathNamesOrganization(route.path) ? organizationFrom(request.params['id']) : undefined
  if (header === undefined) return withoutHeader(pass, credential, ofPath)
  const organizationId = organizationFrom(header)
  if (organizationId === null) return none(malformed())
  // A path that names nothing is 404 in its own turn, as any other.
  if (typeof ofPath === 'number' && ofPath !== organizationId)
    return none(new AppError('BAD_REQUEST', { message: 'X-Service-Organization and the path name two organizations' }))
  return { organizationId }
}

async function withoutHeader(
  { route, engine }: RequestContext,
  credential: Credential,
  ofPath: number | null | undefined,
): Promise<NamedOrganization> {
  const isHeaderFree = credential.kind === 'api_key' || (route.access.kind === 'organization' && route.access.inPath)
  if (!isHeaderFree) return none(malformed())
  if (typeof ofPath === 'number') return { organizationId: ofPath }
  if (ofPath === null) return none(notFound('Organization not found'))
  if (credential.kind !== 'api_key') return none(malformed())
  const [[key] = []] = await engine.database.read('titular_app', [keyOrganization(credential)])
  // An unknown key: the door says so.
  return key ? { organizationId: (key as { organization_id: number }).organization_id } : none(malformed())
}

const none = (unnamed: AppError): NamedOrganization => ({ organizationId: null, unnamed })

const malformed = (): AppError =>
  new AppError('BAD_REQUEST', { message: 'The header X-Service-Organization must name one organization by its id' })
