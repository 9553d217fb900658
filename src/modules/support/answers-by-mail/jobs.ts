// What the worker does for answers by mail: it empties the mailbox, and makes comments of answers.
import { jobKind } from '#kernel/data/job-kinds.ts'
import { systemJob } from '#kernel/jobs/jobs.ts'
import { commentByMail } from './comment-by-mail.ts'
import { tellOfEnd } from './tell-of-end.ts'
import { handleAnswer, receiveMail, understood } from './receive-mail.ts'

const fetchAnswers = jobKind('answers-by-mail/fetch', {})

export const answerJobs = [
  systemJob(fetchAnswers, {
    everySeconds: 60,
    before: async ({ ports }, _job, transactions) => {
      const { inboundMail } = ports
      await inboundMail?.fetch(async (mail) => {
        const read = await understood(ports, mail)
        await transactions.asSystem('a mail names its organization', (ctx) => receiveMail(ctx, inboundMail.name, read))
      })
    },
  }),
  systemJob(handleAnswer, {
    before: async (io, job, transactions) => {
      const ended = await commentByMail(io, transactions, job.payload.provider_event_id)
      if (ended) await tellOfEnd(io, job, ended)
    },
  }),
]
