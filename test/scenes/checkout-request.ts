// The request of a checkout for an invoice of 150.50 BRL in two lines.
import type { CheckoutRequest } from '#ports/payments.ts'

export function checkoutRequest(changes: Partial<CheckoutRequest> = {}): CheckoutRequest {
  return {
    idempotencyKey: 'invoice 12 checkout',
    organizationId: 7,
    organizationName: 'Ação & Filhos',
    organizationEmail: 'finance@example.com',
    organizationCnpj: null,
    customer: null,
    orderId: 11,
    invoiceId: 12,
    invoiceNumber: 'INV-2026-00012',
    amount: '150.50',
    currency: 'BRL',
    daysUntilDue: 7,
    methods: ['card', 'boleto', 'pix'],
    lines: [
      { description: 'Moodle <hosting>', quantity: 1, unitPrice: '100.50', total: '100.50' },
      { description: 'Training', quantity: 2, unitPrice: '25.00', total: '50.00' },
    ],
    ...changes,
  }
}
