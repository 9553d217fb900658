// What the worker does for quotes.
import { endingTerms, momentsOfEndingTerms } from '#modules/delivery/entitlements/ending-terms.ts'
import { archiving } from '#modules/documents/documents-of-record/archive-document.ts'
import { jobKind } from '#kernel/data/job-kinds.ts'
import { sweepJob } from '#kernel/jobs/sweep.ts'
import { expireQuote, warnOfQuote } from './decide-quote.ts'
import { draftRenewals } from './renewals/draft-renewals.ts'
import { quoteDocument } from './archive.ts'
import { quotesTable } from './quote.ts'
import { provisionOrder, provisionOrderJob } from './provision-order.ts'
import { quotes } from './queries.ts'
import { resumeDeliveryJob } from './undelivered-quotes.ts'

const archived = archiving(quoteDocument)
const expireQuotes = jobKind('quotes/expire', {})
const warnOfQuotes = jobKind('quotes/warn', {})
const draftOfRenewals = jobKind('quotes/renewals', {})

export const quoteJobs = [
  ...archived.jobs,
  provisionOrderJob,
  resumeDeliveryJob,
  sweepJob(expireQuotes, { due: quotes.due, act: (ctx, { id }) => expireQuote(ctx, id) }),
  sweepJob(warnOfQuotes, {
    due: quotes.warnable,
    moments: quotes.warningDays,
    act: (ctx, { id }) => warnOfQuote(ctx, id),
  }),
  sweepJob(draftOfRenewals, {
    due: endingTerms,
    moments: momentsOfEndingTerms,
    act: (ctx, { id }) => draftRenewals(ctx, id),
  }),
]

export const quoteConsumers = [{ event: quotesTable.events.paid, job: provisionOrder }, ...archived.consumers]
