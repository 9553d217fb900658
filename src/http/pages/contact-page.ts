// The page behind the link in the mail to a new contact.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { confirmContactPage, noContactPage, type ShownContact } from '../../pages/confirm-contact.ts'
import { pathSegment } from '#http/server/path-segment.ts'
import { askPublicApi, type SendPage } from '#http/openapi/public-api.ts'

type ByToken = { Params: { token: string } }

const MAX_FORM_BYTES = 4096

export async function contactPages(app: FastifyInstance, send: SendPage): Promise<void> {
  // The form has no fields.
  app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: MAX_FORM_BYTES }, (_request, _body, done) =>
    done(null, {}),
  )
  const hidden = { schema: { hide: true } as object, exposeHeadRoute: false }
  const show = async (request: FastifyRequest<ByToken>, reply: FastifyReply, method: 'GET' | 'POST') => {
    const { token } = request.params
    const path = `contacts/${pathSegment(token)}${method === 'POST' ? '/confirm' : ''}`
    const { status, retryAfter, data: contact, code } = await askPublicApi<ShownContact>(app, request, { method, path })
    reply.code(status).headers(retryAfter)
    return send(request, reply, (context) =>
      contact === null ? noContactPage(context, code) : confirmContactPage(context, { token, contact }),
    )
  }
  // Programs that look at the links of mails open them, so that GET confirms nothing.
  app.get<ByToken>('/confirm-contact/:token', hidden, (request, reply) => show(request, reply, 'GET'))
  app.post<ByToken>('/confirm-contact/:token', hidden, (request, reply) => show(request, reply, 'POST'))
}
