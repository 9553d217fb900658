// A quote as its public link gives it, with one text wherever people enter one.
import type { ShownQuote } from '../../src/pages/quote.ts'

const LINE = {
  term_months: 12,
  is_optional: false,
  is_chosen: true,
  quantity_min: null,
  quantity_max: null,
  quantity: 5,
  unit_price: '30.00',
  discount: '10.00',
  tax_rate: '5.00',
  tax: '7.00',
  total: '147.00',
}

const ADJUSTMENT = {
  price_index: 'IPCA',
  from_month: '2025-11',
  until_month: '2026-10',
  accumulated_percent: '4.62',
  applied_percent: '4.00',
  unit_price_before: '28.84',
}

export const shownQuote = (text: string): ShownQuote => ({
  number: 'Q-42',
  status: 'sent',
  company: 'entity_br',
  seller: text,
  customer: text,
  currency: 'BRL',
  valid_until: '2026-12-31',
  purchase_order: text,
  notes: text,
  subtotal: '150.00',
  discount_total: '10.00',
  tax_total: '7.00',
  total: '147.00',
  line_items: [
    { ...LINE, product_name: text, description: text, adjustment: ADJUSTMENT },
    { ...LINE, product_name: text, description: null, is_optional: true, quantity_min: 1, quantity_max: 10 },
  ],
  can_accept: true,
  replaced_by: null,
  answered_by: null,
  accepted_at: null,
  consent: text,
  document_sha256: 'a'.repeat(64),
  checkout_url: null,
})
