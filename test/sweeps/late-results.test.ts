// Every job that asks something before its transaction and writes what came of it there: what may have been decided in
// between, and the test that the decision stays, or why nothing can be written over it.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { ROOT } from '#test/harness/golden.ts'
import { jobs } from '../../src/modules.ts'

type Late = { decided: string } & ({ test: readonly [file: string, title: string] } | { because: string })

const ONLY_ENQUEUES = 'it writes nothing of the record: it enqueues the job that reads it anew'
const ASKS_NOBODY = 'it asks nobody outside, and the transaction reads the record under the lock'
const ARCHIVED = {
  decided: 'the record moves on, or another run archives it',
  because: 'what is archived is a version that was final, and a version that is there already is passed over',
}

const LATE: Record<string, Late> = {
  'audit-log/export': {
    decided: 'another run writes it, or it is given up',
    because: 'only an export that waits is completed, under the lock of its row',
  },
  'commerce/import-order': {
    decided: 'another job imports it',
    test: [
      'src/modules/integrations/commerce/copies.test.ts',
      'whose event comes before the answer is stored is not imported as another order',
    ],
  },
  'commerce/refresh-order': { decided: 'the order is imported', because: ONLY_ENQUEUES },
  'commerce/reconcile': { decided: 'nothing', because: ONLY_ENQUEUES },
  'commerce/reconcile-shop': { decided: 'an event of the order is handled', because: ONLY_ENQUEUES },
  'commerce/sync-order': {
    decided: 'the order is cancelled, paid or refunded here',
    test: ['test/journeys/decided-meanwhile.test.ts', 'stays cancelled, and the copy follows'],
  },
  'crm/sync-company': {
    decided: 'staff decide about a proposal, or the organization is changed or deleted',
    because: 'the record is compared once more in the transaction, with what it is then',
  },
  'crm/sync-deal': {
    decided: 'the quote is accepted, rejected or cancelled',
    test: ['test/journeys/decided-meanwhile.test.ts', 'has a deal in the stage of a rejected quote'],
  },
  'environments/provision': {
    decided: 'a report about the request comes, or another request replaces it',
    test: [
      'src/modules/delivery/environments/provisioning-reports.test.ts',
      '200 before the answer to the request itself has been read',
    ],
  },
  'exports/write': {
    decided: 'it is given up, or whoever asked may not read it any more',
    because: 'only a running export is completed, and its file is reached by whoever may read it then',
  },
  'filed-documents/file-contract': ARCHIVED,
  'filed-documents/file-credit_note': ARCHIVED,
  'filed-documents/file-invoice': ARCHIVED,
  'filed-documents/file-quote': ARCHIVED,
  'filed-documents/file-tax_invoice': ARCHIVED,
  'imports/invite': {
    decided: 'a member leaves, or joins',
    because: 'each member is invited in a transaction of its own; the last one only counts them',
  },
  'imports/read': {
    decided: 'the import is cancelled',
    test: ['src/modules/integrations/imports/resuming.test.ts', 'that is stopped between two lines counts each once'],
  },
  'issue-tracker/sync': {
    decided: 'staff link the ticket to another issue, or take the link away',
    test: ['src/modules/support/issue-tracker/issue-tracker.test.ts', 'is harmless while the issue is being created'],
  },
  'issue-tracker/sync-due': { decided: 'nothing', because: ASKS_NOBODY },
  'municipal-parameters/ask': {
    decided: 'a later answer is kept',
    test: [
      'src/modules/sales/municipal-parameters/municipal-parameters.test.ts',
      '200 in the order in which it was answered: an answer that comes late does not count',
    ],
  },
  'notifications/fill-inboxes': {
    decided: 'a recipient leaves or loses the scope',
    because: 'an entry is shown to whoever has the scope when it is read',
  },
  'payments/fetch-codes': {
    decided: 'the checkout is closed or replaced, or the invoice paid',
    test: [
      'src/modules/sales/payments/fetch-codes.test.ts',
      'are not written where the checkout was replaced meanwhile',
    ],
  },
  'payments/find-disputed': { decided: 'the dispute is found by another event', because: ONLY_ENQUEUES },
  'payments/receive-moved': {
    decided: 'the invoice is voided, or whoever moved the payment loses their role',
    test: [
      'src/modules/sales/payments/move-elsewhere.test.ts',
      '200 once of two at once, also where the invoice is void by the time that it arrives',
    ],
  },
  'payments/refresh': {
    decided: 'the invoice is paid or void',
    test: ['src/modules/sales/payments/payments.test.ts', '200 for a late failure, which does not undo the payment'],
  },
  'payments/refresh-dispute': {
    decided: 'staff refund the invoice otherwise',
    because:
      'a dispute that is decided moves no more, and what is refunded is what is left under the lock of the invoice',
  },
  'payments/refresh-refund': {
    decided: 'a later state is settled',
    test: ['src/modules/sales/payments/job-order.test.ts', 'a refund that failed and then succeeded ends succeeded'],
  },
  'payments/open-checkout': {
    decided: 'the invoice is paid, credited or void, or a refund makes something due again',
    test: [
      'src/modules/sales/payments/open-checkout.test.ts',
      'a refund that succeeds between the two halves is due again, and no payment is made up',
    ],
  },
  'payments/reconcile': { decided: 'an event of the record is handled', because: ONLY_ENQUEUES },
  'payments/replace-checkout': {
    decided: 'as with payments/open-checkout',
    because: 'what is opened is written by the function of payments/open-checkout',
  },
  'privacy/export-organization': {
    decided: 'it is given up',
    because: 'only an export that waits becomes ready, under the lock of the organization; else its file is removed',
  },
  'privacy/export-person': {
    decided: 'it is given up, or the person is erased',
    because: 'only an export that waits becomes ready; else its file is removed',
  },
  'refunds/send': {
    decided: 'staff record it by hand',
    test: ['src/modules/sales/refunds/by-hand.test.ts', '409 while the provider is in use, though it has not answered'],
  },
  'sites/expire-earlier-proofs': { decided: 'a domain is proven anew', because: ASKS_NOBODY },
  'subscriptions/bill': {
    decided: 'the order is cancelled',
    test: [
      'src/modules/sales/subscriptions/charged-invoices.test.ts',
      'of an order that was cancelled since is recorded, and a dead letter asks staff to refund it',
    ],
  },
  'subscriptions/cancel': {
    decided: 'the subscription ends',
    because:
      'what follows is the state that the provider has after the act, and jobs of one subscription follow each other',
  },
  'subscriptions/change-plan': {
    decided: 'another plan is agreed',
    test: [
      'src/modules/sales/subscriptions/change-at-provider.test.ts',
      '200 while Stripe gives no answer: the last one is what is charged in the end',
    ],
  },
  'subscriptions/keep': {
    decided: 'the subscription is cancelled again, or ends',
    because:
      'what follows is the state that the provider has after the act, and jobs of one subscription follow each other',
  },
  'subscriptions/refresh': {
    decided: 'a later state is followed',
    test: [
      'src/modules/sales/payments/job-order.test.ts',
      'a subscription that is past due and then active again ends active',
    ],
  },
  'subscriptions/note-failed-charge': {
    decided: 'the charge is paid',
    test: [
      'src/modules/sales/subscriptions/failed-charge.test.ts',
      'is mailed once for each attempt, whatever is repeated, and not when it was paid meanwhile',
    ],
  },
  'subscriptions/open': {
    decided: 'the order is cancelled or paid',
    test: [
      'src/modules/sales/subscriptions/subscriptions.test.ts',
      'is not needed when the order is cancelled, also before Stripe has answered',
    ],
  },
  'subscriptions/pause': {
    decided: 'the subscription ends at the provider',
    test: [
      'src/modules/sales/subscriptions/pause-at-provider.test.ts',
      '200, and follows the end, when it has ended at Stripe meanwhile',
    ],
  },
  'subscriptions/resume': {
    decided: 'the subscription is cancelled',
    test: [
      'src/modules/sales/subscriptions/pause-at-provider.test.ts',
      '409 for one that was cancelled in the pause: no new interval is charged',
    ],
  },
  'tax-invoices/cancel': {
    decided: 'another cancellation or a successor is asked for',
    test: [
      'src/modules/sales/tax-invoices/cancel-tax-invoice.test.ts',
      '409 for a second one and for a cancellation while one is under way',
    ],
  },
  'tax-invoices/open': {
    decided: 'the invoice is void',
    test: [
      'src/modules/sales/tax-invoices/cancel-voided.test.ts',
      'gets none for a request that comes while it is being voided',
    ],
  },
  'tax-invoices/prepare': {
    decided: 'staff cancel it',
    test: ['test/journeys/decided-meanwhile.test.ts', 'stays cancelled, and nothing is sent'],
  },
  'tax-invoices/send': {
    decided: 'staff cancel it',
    test: [
      'src/modules/sales/tax-invoices/cancel-tax-invoice.test.ts',
      '409 for one that the authority may have, and while it is being cancelled',
    ],
  },
}

it('each job that asks first and writes afterwards says what may be decided in between', () => {
  const asking = jobs.filter(({ before, run }) => before && run).map(({ kind }) => kind.name)
  expect(asking.toSorted()).toEqual(Object.keys(LATE).toSorted())
})

const tested = Object.entries(LATE).flatMap(([kind, late]) => ('test' in late ? [[kind, ...late.test] as const] : []))

it.each(tested)('%s has its test: %s › %s', async (_, file, title) => {
  expect(await readFile(join(ROOT, file), 'utf8')).toContain(`'${title}'`)
})
