// What the worker does for services: tells those who may accept a delivery, each with a job of its own.
import { sendMail } from '#areas/notifications/send-mail.ts'
import { enqueue, organizationJob } from '#kernel/jobs/jobs.ts'
import { services } from './queries.ts'

export const serviceJobs = [
  organizationJob({
    kind: 'services/announce-delivery',
    run: async (ctx, { payload }) => {
      for (const { user_id } of await ctx.ask(services.readers(ctx.organizationId, ctx.now)))
        await enqueue(ctx, 'services/mail-delivery', { service_id: payload['resource_id'], user_id })
    },
  }),
  organizationJob({
    kind: 'services/mail-delivery',
    before: async (outside, job) => {
      const { service_id, user_id } = job.payload
      const org = outside.organizationId ?? 0
      const [fact] = await outside.read(services.forMail(org, service_id))
      const reader = (await outside.read(services.readers(org, outside.now))).find((one) => one.user_id === user_id)
      // Decided already, or the reader has left since.
      if (fact?.status !== 'delivered' || !reader) return
      const { organization_name: organizationName, service_name: serviceName, note } = fact
      await sendMail(outside, job, reader, {
        kind: 'service-delivered',
        organizationName,
        serviceName,
        note,
        link: null,
      })
    },
  }),
]

export const serviceConsumers = [{ event: 'titular/service/delivered', job: 'services/announce-delivery' }] as const
