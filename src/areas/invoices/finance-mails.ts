// Mails to the members who look after an organization's money, each with a job of its own.
import { sendMail } from '#areas/notifications/send-mail.ts'
import type { Consumer } from '#kernel/jobs/events.ts'
import { enqueue, type Job, organizationJob } from '#kernel/jobs/jobs.ts'
import type { Statement } from '#kernel/data/sql.ts'
import type { MailContent, MailKind } from '#texts/mail/content.ts'
import { invoices } from './queries.ts'

type FinanceMail<Fact> = {
  area: string
  kind: MailKind
  event: Consumer['event']
  fact: (org: number, id: unknown) => Statement<Fact>
  /** Null: nothing is sent any more. */
  content: (fact: Fact) => MailContent | null
}

export function financeMail<Fact>(mail: FinanceMail<Fact>): { jobs: Job[]; consumers: Consumer[] } {
  const announce = `${mail.area}/announce-${mail.kind}`
  const send = `${mail.area}/mail-${mail.kind}`
  return {
    jobs: [
      organizationJob({
        kind: announce,
        run: async (ctx, { payload }) => {
          for (const { user_id } of await ctx.ask(invoices.readers(ctx.organizationId, ctx.now)))
            await enqueue(ctx, send, { id: payload['resource_id'], user_id })
        },
      }),
      organizationJob({
        kind: send,
        before: async (outside, job) => {
          const { id, user_id } = job.payload
          const org = outside.organizationId ?? 0
          const [fact] = await outside.read(mail.fact(org, id))
          const reader = (await outside.read(invoices.readers(org, outside.now))).find((one) => one.user_id === user_id)
          const content = fact === undefined ? null : mail.content(fact)
          // Left the organization, or lost the scope, since.
          if (reader && content) await sendMail(outside, job, reader, content)
        },
      }),
    ],
    consumers: [{ event: mail.event, job: announce }],
  }
}
