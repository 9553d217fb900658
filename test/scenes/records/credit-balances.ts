// A payment in advance, with the credit balance that it made, one of the invoice, and one that was moved away.
import type { AddRecords } from '../records.ts'

export const addRecords: AddRecords = async ({ app, add, records: { invoices } }) => {
  const money = { currency: 'BRL', amount: '10.00' }
  const paid = { source: 'by_hand', surplus: '10.00', paid_at: app.clock.now, payment_date: '2026-01-02' }
  const payments = await add('payments', { company: 'entity_br', ...money, ...paid })
  const creditBalances = await add('credit_balances', { company: 'entity_br', ...money })
  const entry = { kind: 'overpaid', balance: '10.00', date: '2026-01-02', payment_id: payments }
  await add('credit_balance_entries', { credit_balance_id: creditBalances, ...money, ...entry })
  await add('payments', { company: 'entity_br', ...money, ...paid, surplus: '0.00', invoice_id: invoices })
  const moved = await add('payments', { company: 'entity_br', ...money, ...paid, moved_at: app.clock.now })
  return { payments, 'moved-payments': moved, 'credit-balances': creditBalances }
}
