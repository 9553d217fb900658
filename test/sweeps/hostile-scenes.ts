// The states and bodies in which routes take the texts of hostile-input.test.ts.
import { PROFILE } from '#test/stand-ins/tax-authority.ts'
/** A completed order, with a payment of all of its invoice by hand. */
const PAID = `update orders set status = 'completed'; update invoices set status = 'paid', amount_paid = total, paid_at = now();
  insert into payments (organization_id, invoice_id, company, currency, amount, surplus, source, paid_at, payment_date)
  select organization_id, id, company, currency, total, total - total, 'by_hand', now(), current_date from invoices`

/** Routes that need a record in another state than that of test/scenes/records.ts. */
export const STATES: Record<string, string> = {
  'PUT /quotes/{id}': `update quotes set status = 'draft', order_id = null`,
  'POST /quotes/{id}/accept': `update orders set quote_id = null; update quotes set status = 'sent', order_id = null`,
  'POST /quotes/{id}/reject': `update quotes set status = 'sent'`,
  'POST /quotes/{id}/links': `update quotes set status = 'sent'`,
  'POST /public/quotes/{token}/accept': `update orders set quote_id = null;
    update quotes set status = 'sent', order_id = null, sent_at = now()`,
  'POST /public/quotes/{token}/reject': `update quotes set status = 'sent'`,
  'POST /orders/{id}/refund': PAID,
  'POST /invoices/{id}/refund': PAID,
  'POST /credit-balances/{id}/refund': `update credit_balances set amount = 100000.00`,
  'POST /refunds/{id}/settle': `update refunds set is_approved = true;
    update invoices set status = 'paid', amount_paid = total, refund_reserved = 1.00, paid_at = now()`,
  'POST /refunds/{id}/reject': `update invoices set status = 'paid', amount_paid = total, refund_reserved = 1.00, paid_at = now()`,
  'PATCH /invoices/{id}': `update invoices set status = 'draft'`,
  'POST /environments': `update entitlements set class = 'ENV'`,
  'POST /environments/{id}/status': `update environments set status = 'active'`,
  'PATCH /environments/{id}/maintenance-windows/{window_id}': `update maintenance_windows set starts_at = '2099-12-05T03:00Z'`,
  'POST /services': `update entitlements set class = 'SVC'`,
  'POST /services/{id}/status': `update services set status = 'approved'`,
  'POST /services/{id}/reject-delivery': `update services set status = 'delivered'`,
  'POST /tickets': `update entitlements set class = 'ENV'`,
  'POST /tickets/{id}/issue': `delete from issue_references; delete from ticket_issues`,
  'POST /environments/{id}/tickets': `update entitlements set class = 'ENV'`,
  'PATCH /contracts/{id}': `update contracts set status = 'draft'`,
  'POST /contracts/{id}/status': `update contracts set status = 'draft'`,
  'POST /affiliates/{id}/payouts/{payout_id}/pay': `update affiliate_payouts set status = 'approved'`,
  // One of the vendor's own.
  'PATCH /admin/webhook-endpoints/{id}': `update webhook_queues set organization_id = null;
    update webhook_deliveries set organization_id = null; update webhook_endpoints set organization_id = null, user_id = null`,
  'POST /licenses/{id}/resume': `update licenses set status = 'suspended'`,
  'POST /licenses/{id}/renew': `update licenses set status = 'expired'`,
}

/** Bodies for routes whose example cannot be used. */
export const BODIES: Record<string, object> = {
  'POST /organizations': { name: 'Acme' },
  'POST /auth/api-keys': { name: 'x' },
  'PATCH /auth/api-keys/{id}': { name: 'x' },
  'POST /admin/organizations': { name: 'Acme', owner_email: 'ana@acme.example' },
  // Nobody of staff is there to be a member.
  'POST /admin/teams': { name: 'x', default_for: [], member_ids: [] },
  'PATCH /admin/settings/{company}': { fiscal_profiles: [{ ...PROFILE, municipal_registration: '123' }] },
  'PATCH /admin/teams/{id}': { name: 'x' },
  'PUT /organizations/{id}': {},
  // It cannot be required before somebody has signed in by it.
  'PATCH /sso/connections/{id}': { name: 'x', client_secret: 'x' },
  'POST /invoices': { currency: 'BRL', line_items: [{ product_name: 'x', quantity: 1, unit_price: '1.00' }] },
  'POST /invoices/{id}/credit-notes': {
    line_items: [{ description: 'x', quantity: 1, unit_price: '1.00' }],
    reason: 'x',
  },
  'PATCH /invoices/{id}': { notes: 'x' },
}
