// A day belongs to a time zone: that of the legal entity. Each place of the sources that takes the day of a moment in
// UTC, in whatever way, is listed with the reason why it may.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const SOURCES = join(import.meta.dirname, '../../src')

/**
 * What gives a day, a month or a year in UTC: the zone by name, a cut moment, a moment as a date in SQL, whose sessions
 * are in UTC.
 */
const WAYS = [
  /'UTC'/,
  /\.(slice|substring)\(0, (10|7)\)/,
  /getUTC(FullYear|Month|Date|Day)/,
  /(_at|\bat|now\(\))\)?::date\b/,
  /\bcurrent_date\b/i,
  /split\('T'\)/,
]

const BY_ITS_DOCUMENTATION =
  'the range of a list over moments of both legal entities, which says that its days are those of UTC'
const OF_A_DATE = 'what is cut is a date already, or a text of another system'
const OF_THE_DATABASE = 'the database server and its sessions run in UTC; no day is taken'
const DEMO = 'the demo, whose records may be of any day'

const ALLOWED: Readonly<Record<string, string>> = {
  'adapters/nfse/certificate.ts': 'the validity of a certificate is in UTC by its standard',
  'adapters/nfse/identifiers.ts': 'cuts the digits of an identifier',
  'adapters/nfse/moments.ts': 'cuts a time that is in Brasília already',
  'adapters/nfse/municipal-parameters.ts': OF_A_DATE,
  'adapters/sandbox/payments/subscription.ts': 'the imitated provider counts months in UTC, as Stripe does',
  'adapters/sandbox/tax/rules.ts': OF_A_DATE,
  'modules/operations/admin/advance-test-clock.ts': 'a limit of years, no day',
  'modules/operations/audit-log/queries.ts': BY_ITS_DOCUMENTATION,
  'modules/operations/audit-log/write-audit-export.ts':
    'times of the audit log are in UTC; files are kept for whole days of 24 hours',
  'modules/delivery/entitlements/bring-entitlement.ts': 'the month of a code is that of UTC, by its documentation',
  'modules/operations/exports/write-export.ts': 'files are kept for whole days of 24 hours',
  'modules/sales/orders/queries.ts': BY_ITS_DOCUMENTATION,
  'modules/operations/privacy/erasure.ts': 'a term of years, no day',
  'modules/operations/privacy/request-organization-erasure.ts': 'a term of years, no day',
  'modules/sales/quotes/adjustment.ts': 'the month of a day of the legal entity',
  'modules/operations/reports/recurring-revenue.ts':
    'reads a day more on both sides; the months are those of the legal entity',
  'modules/operations/reports/report.ts': 'the month of a day of the legal entity',
  'modules/sales/tax-invoices/queries.ts': BY_ITS_DOCUMENTATION,
  'modules/integrations/webhooks/inbound-events.ts': BY_ITS_DOCUMENTATION,
  'audit/sealed-lines.ts': 'times of the audit log are in UTC',
  'demo/affiliates.ts': DEMO,
  'demo/business-hours.ts': DEMO,
  'demo/history/act.ts': DEMO,
  'demo/history/delivery.ts': DEMO,
  'demo/history/histories.ts': DEMO,
  'demo/history/sales.ts': DEMO,
  'demo/load-demo.ts': DEMO,
  'config/entities.ts': 'the usual zone of the other legal entity, which is a setting',
  'modules/operations/audit-log/audit-chain.ts': 'a whole time as text',
  'kernel/data/codes.ts': 'the month of a code is that of UTC, by its documentation',
  'kernel/data/lists/page-order.ts': 'a whole time as text',
  'kernel/values/sql.ts': 'a whole time as text',
  'kernel/database/row-reader.ts': 'a whole time as text',
  'ports/payment-subscriptions.contract.ts': 'a provider counts months in UTC',
  'postgres/embedded.ts': OF_THE_DATABASE,
  'postgres/login.ts': OF_THE_DATABASE,
  'postgres/restore.ts': 'the month of a code is that of UTC, by its documentation',
  'postgres/roles.ts': OF_THE_DATABASE,
  'postgres/server-process.ts': OF_THE_DATABASE,
  'texts/format.ts': 'writes a date, which has no zone',
}

it('the day of a moment is told in UTC only where the list says why', () => {
  const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && !file.endsWith('.test.ts'),
  )
  const found = files.filter((file) => WAYS.some((way) => way.test(readFileSync(join(SOURCES, file), 'utf8'))))
  expect(found.toSorted()).toEqual(Object.keys(ALLOWED).toSorted())
})
