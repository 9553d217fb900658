// Every periodic job is a sweep, which an organization with a test clock has at its own moments, or is listed here with the
// reason why it has nothing to do with an organization's time (docs/decisions/0062).
import { expect, it } from 'vitest'
import { jobs } from '../../src/modules.ts'

const IN_REAL_TIME: Readonly<Record<string, string>> = {
  'admin/remove-dead-letters': 'jobs fail in real time',
  'answers-by-mail/fetch': 'empties a mailbox of today',
  'audit-log/end-exports': 'files are kept for real days',
  'audit-log/seal': 'entries are sealed after they were committed, which is in real time',
  'auth/remove-over': 'accounts belong to no organization, and sessions live in real time',
  'auth/warn-of-keys': 'who may enter is a matter of real time',
  'collaborators/propagate-ends': 'who may enter is a matter of real time',
  'commerce/reconcile': 'asks the shops what has changed there',
  'events/remove-old': 'keeps those of organizations with a test clock',
  'exports/expire': 'files of the vendor’s people are kept in real time',
  'exports/give-up': 'jobs fail in real time',
  'imports/remove-rows': 'the vendor’s imports belong to no organization',
  'invites/expire': 'who may enter is a matter of real time',
  'issue-tracker/sync-due': 'asks the tracker what has changed there',
  'mails/forget': 'mails are sent in real time',
  'me/forget-entries': 'what is read is read in real time',
  'municipal-parameters/ask': 'asks the national system of today',
  'payments/reconcile': 'asks the providers what has become of a payment',
  'privacy/erase-due': 'people belong to no organization',
  'privacy/give-up-exports': 'jobs fail in real time',
  'privacy/remove-exports': 'files are kept for real days',
  'quotes/undelivered': 'repairs what a lost job has left',
  'sites/check-proofs': 'asks the name servers of today',
  'sso/remove-over': 'sign-ins happen in real time',
  'tax-invoices/sweep': 'repairs what a lost job has left',
  'vendor-keys/warn-of-ends': 'keys of the vendor belong to no organization',
  'webhook-endpoints/forget': 'deliveries are made in real time',
  'webhooks/prune': 'what others send is received in real time',
}

it('every periodic job is a sweep or has a reason not to be one', () => {
  const others = jobs.flatMap((job) =>
    job.scope === 'system' && job.everySeconds !== undefined && !job.sweep ? [job.kind.name] : [],
  )
  expect(others.toSorted()).toEqual(Object.keys(IN_REAL_TIME).toSorted())
})
