// The public API for the pages behind mailed links, which are its clients in the same process; it decides everything.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ERROR_CODES, type ErrorCode } from '#kernel/values/errors.ts'
import type { PageContext } from '../../pages/document.ts'
import { languageFrom } from '../../texts/language.ts'

export type SendPage = (
  request: FastifyRequest,
  reply: FastifyReply,
  render: (context: PageContext) => string,
) => FastifyReply

type Question = { method: 'GET' | 'POST' | 'PUT'; path: string; payload?: object }
type PublicAnswer<Data> = {
  status: number
  data: Data | null
  code: ErrorCode
  retryAfter: Record<string, string>
}

/** With the visitor's address, by which requests are limited. */
export async function askPublicApi<Data>(
  app: FastifyInstance,
  request: FastifyRequest,
  { method, path, payload }: Question,
): Promise<PublicAnswer<Data>> {
  const response = await app.inject({
    method,
    url: `/api/v1/public/${path}`,
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
  const code = ERROR_CODES.find((one) => one === errors?.code) ?? 'INTERNAL_ERROR'
  // A token that cannot be one is a link that opens nothing, like all others.
  const isUnknown = code === 'VALIDATION_ERROR'
  return {
    status: isUnknown ? 404 : response.statusCode,
    data,
    code: isUnknown ? 'NOT_FOUND' : code,
    retryAfter: retryAfter === undefined ? {} : { 'retry-after': retryAfter },
  }
}
