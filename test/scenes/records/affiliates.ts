// An affiliate, and a commission that it earned.
import type { AddRecords } from '../records.ts'

export const addRecords: AddRecords = async ({ app, add, records: { entitlements, invoices, quotes } }) => {
  const affiliates = await add('affiliates', { entitlement_id: entitlements, code: `A${quotes}`, currency: 'BRL' })
  const earned = { affiliate_id: affiliates, payment_id: invoices, rate: '10.00', amount: '10.00', currency: 'BRL' }
  await add('commissions', { ...earned, paid_on: '2026-01-02', earns_at: app.clock.now })
  return { affiliates }
}
