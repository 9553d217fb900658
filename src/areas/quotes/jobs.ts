// What the worker does for quotes.
import { archiving } from '#areas/documents-of-record/archive-document.ts'
import { dayIn } from '#kernel/values/calendar.ts'
import { jobKind } from '#kernel/jobs/job-kinds.ts'
import { systemJob } from '#kernel/jobs/jobs.ts'
import { expireQuote, warnOfQuote } from './decide-quote.ts'
import { quoteDocument } from './archive.ts'
import { quotesTable } from './quote.ts'
import { provisionOrder, provisionOrderJob } from './provision-order.ts'
import { quotes } from './queries.ts'
import { resumeDeliveryJob } from './undelivered-quotes.ts'

const BATCH = 500

const archived = archiving(quoteDocument)
const expireQuotes = jobKind('quotes/expire', {})
const warnOfQuotes = jobKind('quotes/warn', {})

export const quoteJobs = [
  ...archived.jobs,
  provisionOrderJob,
  resumeDeliveryJob,
  systemJob(expireQuotes, {
    everySeconds: 60,
    before: async ({ read, now, ports }, _job, { inEach }) => {
      const { entity_br, entity_global } = ports.settings.entities
      const today = { entity_br: dayIn(now, entity_br.timeZone), entity_global: dayIn(now, entity_global.timeZone) }
      await inEach(await read(quotes.due(today, BATCH)), (ctx, { id }) => expireQuote(ctx, id))
    },
  }),
  systemJob(warnOfQuotes, {
    everySeconds: 60,
    before: async ({ read, now, ports }, _job, { inOrganization }) => {
      const { entities, expiryWarningDays } = ports.settings
      const { entity_br, entity_global } = entities
      const today = { entity_br: dayIn(now, entity_br.timeZone), entity_global: dayIn(now, entity_global.timeZone) }
      for (const { organization_id, id } of await read(quotes.warnable(today, entities, expiryWarningDays, BATCH)))
        await inOrganization(organization_id, (ctx) => warnOfQuote(ctx, id))
    },
  }),
]

export const quoteConsumers = [{ event: quotesTable.events.paid, job: provisionOrder }, ...archived.consumers]
