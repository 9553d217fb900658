// The public API for the pages behind mailed links, which are its clients in the same process; it decides everything.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ERROR_CODES, type ErrorCode } from '#kernel/values/errors.ts'
import type { Company } from '#kernel/values/schema.ts'
import type { PageContext } from '../../pages/document.ts'
import { languageFrom } from '../../texts/language.ts'

/** `company`: whom the page is about. */
export type SendPage = (
  request: FastifyRequest,
  reply: FastifyReply,
  render: (context: PageContext) => string,
  company?: Company,
) => Promise<FastifyReply>

/** `path`: its parts, of which some are what somebody sent. */
type Question = { method: 'GET' | 'POST' | 'PUT'; path: readonly string[]; payload?: object }
type PublicAnswer<Data> = {
  status: number
  data: Data | null
  code: ErrorCode
  fields: string[]
  retryAfter: Record<string, string>
}

/** With the visitor's address, by which requests are limited and acceptances are kept. */
export async function askPublicApi<Data>(
  app: FastifyInstance,
  request: FastifyRequest,
  { method, path, payload }: Question,
): Promise<PublicAnswer<Data>> {
  const response = await app.inject({
    method,
    url: `/api/v1/public/${path.map(segmentOf).join('/')}`,
    remoteAddress: request.ip,
    headers: {
      'accept-language': languageFrom(request.headers['accept-language'], 'en'),
      host: request.headers.host ?? '',
      'x-request-id': request.id,
    },
    ...(payload && { payload }),
  })
  const { data, errors } = response.json()
  const retryAfter = response.headers['retry-after']
  return {
    status: response.statusCode,
    data,
    code: ERROR_CODES.find((one) => one === errors?.code) ?? 'INTERNAL_ERROR',
    fields: Object.keys(errors?.fields ?? {}),
    retryAfter: retryAfter === undefined ? {} : { 'retry-after': retryAfter },
  }
}

/** Two dots would lead to another endpoint. The sign in their place is a token that opens nothing. */
const segmentOf = (text: string): string => (/^\.+$/.test(text) ? '-' : encodeURIComponent(text))
