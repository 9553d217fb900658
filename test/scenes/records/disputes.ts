// A dispute of an invoice's payment that is open.
import type { AddRecords } from '../records.ts'

export const addRecords: AddRecords = async ({ add, records: { invoices } }) => {
  const at = { company: 'entity_br', provider: 'sandbox', reference: `du_${invoices}` }
  const asked = { invoice_id: invoices, amount: '1.00', currency: 'BRL', reason: 'fraudulent', is_withdrawn: true }
  return { disputes: await add('disputes', { ...at, ...asked }) }
}
