// An affiliate, a commission that it earned, and a payout of it.
import type { AddRecords } from '../records.ts'

export const addRecords: AddRecords = async ({ app, add, records: { entitlements, invoices, quotes } }) => {
  const money = { currency: 'BRL', amount: '10.00' }
  const sums = { earned: '10.00', reversed: '0.00', paid_out: '0.00', reserved: '5.00' }
  const account = { entitlement_id: entitlements, code: `A${quotes}`, company: 'entity_br', currency: 'BRL', ...sums }
  const affiliates = await add('affiliates', account)
  const paid = { payment_id: invoices, rate: '10.00', paid_on: '2026-01-02', earns_at: app.clock.now }
  const commission_id = await add('commissions', { affiliate_id: affiliates, ...money, ...paid })
  const earned = { kind: 'earned', commission_id, balance: '10.00', date: '2026-02-02' }
  await add('affiliate_entries', { affiliate_id: affiliates, ...money, ...earned })
  const payouts = await add('affiliate_payouts', { affiliate_id: affiliates, currency: 'BRL', amount: '5.00' })
  return { affiliates, payouts }
}
