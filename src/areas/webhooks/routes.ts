// Inbound webhooks (docs/interface.md, Events): the signature first, then stored whole under the provider's own id, then
// 200; a job acts on it later, once, in any order.
import { Type } from 'typebox'
import { AppError, notFound } from '#kernel/http/errors.ts'
import { enqueue } from '#kernel/jobs/jobs.ts'
import { signed } from '#kernel/access/permissions.ts'
import { route } from '#kernel/http/route.ts'
import { Closed, Company } from '#kernel/values/schema.ts'
import { BadSignature } from '#ports/payments.ts'
import { storeEvent } from './queries.ts'

export const webhookRoutes = [
  route({
    method: 'POST',
    path: '/webhooks/payment/{company}',
    access: signed('payment provider'),
    purpose: 'Events of the payment provider of a legal entity.',
    description:
      'Signed over the raw bytes in the provider’s way. An event that came before answers 200 and does nothing; an unknown type is kept and ignored.',
    params: Closed({ company: Company }),
    data: Type.Null(),
    before: async ({ ports, now }, { params, raw }) => {
      const payments = ports.payments[params.company]
      if (!payments) throw notFound('No payment provider is configured for this legal entity')
      try {
        return payments.readEvent(raw.headers, raw.body, now)
      } catch (error) {
        if (error instanceof BadSignature)
          throw new AppError('AUTHENTICATION_ERROR', { message: 'The signature is missing or wrong', cause: error })
        throw error
      }
    },
    run: async (ctx, { params, raw }, event) => {
      const [stored] = await ctx.ask(storeEvent('payment', params.company, event, raw.body))
      if (stored && event.kind !== 'ignored') await enqueue(ctx, 'webhooks/payment', { provider_event_id: stored.id })
      return { data: null, message: stored ? 'Event stored' : 'Event known already' }
    },
  }),
]
