// One request or more for each route that takes `dry_run`, with all that hangs on it: license, environment, tax invoice,
// affiliate, subscription.
import { expect } from 'vitest'
import { taxAuthorityStandIn } from '#test/stand-ins/tax-authority.ts'
import type { Organization, Speaker } from '#test/harness/world.ts'
import { affiliateIn } from './affiliates.ts'
import { buyerOf, DRAFT, draftQuote, LICENSE_LINE, sentQuote } from './commerce.ts'
import { byStaff, OF_SUBSCRIPTIONS } from './dry-runs-of-subscriptions.ts'
import { openInvoice } from './paid-invoices.ts'
import { IPCA_2023, publish } from './price-indexes.ts'
import { type Bought, bought, sendEvent, stripeScene } from './stripe.ts'

export type Request = {
  method: 'post' | 'put' | 'patch' | 'delete'
  path: string
  body?: object
  speaker: Speaker
  organization: Organization
  /** What the preview has at least, beyond being true. */
  resources?: string[]
  requests?: string[]
}

const ENVIRONMENT = {
  product_name: 'Moodle',
  quantity: 1,
  unit_price: '50.00',
  entitlement_class: 'ENV',
  term_months: 12,
}

export async function dryRunScene() {
  const authority = taxAuthorityStandIn()
  const environment = { ENTITY_BR_TAX_ID: '12.abc.345/01de-35', ENTITY_BR_NAME: 'Vendor Ltda' }
  const at = await stripeScene({ environment, ports: { taxAuthority: authority } })
  const affiliate = await affiliateIn(await at.app.world.organization())
  return { at, authority, affiliate, close: () => at.close() }
}
export type DryRunScene = Awaited<ReturnType<typeof dryRunScene>>

/** Paid at the provider and delivered, with an issued tax invoice. */
export async function sold(
  { at, affiliate }: DryRunScene,
  lines: object[] = [LICENSE_LINE, ENVIRONMENT],
): Promise<Bought> {
  const payment = await bought(at, { line_items: lines, affiliate_code: affiliate.code })
  await sendEvent(at, 'invoice.paid', at.stripe.pay(payment.reference))
  const { data: order } = await at.buyer.get(`/orders/${payment.order_id}`)
  expect(order.status).toBe('completed')
  const { data: notes } = await at.buyer.get(`/tax-invoices/order/${payment.order_id}`)
  expect(notes.map((one: { status: string }) => one.status)).toContain('issued')
  return { ...payment, entitlements: order.entitlements, notes }
}

/** A payment of an order's invoice, which is of 150.00. */
async function paidByHand({ at }: DryRunScene, amount: string): Promise<number> {
  const { invoice_id } = await bought(at)
  const { status } = await at.acme.staff.post(`/invoices/${invoice_id}/pay`, { amount })
  expect(status).toBe(200)
  await at.app.service.worker.drain()
  return (await at.acme.staff.get(`/invoices/${invoice_id}/payments`)).data[0].id
}

/** An open invoice whose payment brings no tax invoice, since it has one. */
async function declared({ at: { app, acme } }: DryRunScene): Promise<number> {
  const invoice_id = await openInvoice(app, acme, { total: '40.00' })
  const { status } = await acme.staff.post('/tax-invoices', { invoice_id })
  expect(status).toBe(201)
  return invoice_id
}

export type Case = { of: string; name: string; make: (scene: DryRunScene) => Promise<Request> }

const CANCELLED = { reason_code: '9', reason: 'It was decided so by both' }

export const CASES: readonly Case[] = [
  {
    of: 'POST /orders/{id}/refund',
    name: 'of all',
    make: async (scene) => {
      const { order_id } = await sold(scene)
      return {
        ...byStaff(scene),
        method: 'post',
        path: `/orders/${order_id}/refund`,
        body: { reason: 'Not used' },
        resources: ['credit_note', 'entitlement', 'environment', 'invoice', 'license', 'order', 'refund'],
        requests: ['payment_provider refund', 'affiliate_program update_commission', 'mail refund-succeeded'],
      }
    },
  },
  {
    of: 'POST /orders/{id}/refund',
    name: 'with its tax invoices',
    make: async (scene) => {
      const { order_id } = await sold(scene, [LICENSE_LINE])
      return {
        ...byStaff(scene),
        method: 'post',
        path: `/orders/${order_id}/refund`,
        body: { tax_invoice_action: 'cancel' },
        resources: ['tax_invoice'],
        requests: ['tax_authority cancel_tax_invoice'],
      }
    },
  },
  {
    of: 'POST /orders/{id}/refund',
    name: 'in part',
    make: async (scene) => {
      const { order_id } = await sold(scene)
      return { ...byStaff(scene), method: 'post', path: `/orders/${order_id}/refund`, body: { amount: '60.00' } }
    },
  },
  {
    of: 'POST /invoices/{id}/refund',
    name: 'in part',
    make: async (scene) => {
      const { invoice_id } = await sold(scene)
      return { ...byStaff(scene), method: 'post', path: `/invoices/${invoice_id}/refund`, body: { amount: '60.00' } }
    },
  },
  {
    of: 'POST /orders/{id}/cancel',
    name: 'unpaid',
    make: async (scene) => {
      const { order_id } = await bought(scene.at)
      return {
        ...byStaff(scene),
        method: 'post',
        path: `/orders/${order_id}/cancel`,
        resources: ['invoice', 'order', 'quote'],
        requests: ['payment_provider close_checkout'],
      }
    },
  },
  {
    of: 'POST /orders/{id}/cancel',
    name: 'paid',
    make: async (scene) => {
      const { order_id } = await sold(scene)
      await scene.at.app.database.query(`update orders set status = 'processing' where id = $1`, [order_id])
      return { ...byStaff(scene), method: 'post', path: `/orders/${order_id}/cancel` }
    },
  },
  {
    of: 'POST /orders/{id}/status',
    name: 'refunded elsewhere',
    make: async (scene) => {
      const { order_id } = await sold(scene)
      return { ...byStaff(scene), method: 'post', path: `/orders/${order_id}/status`, body: { status: 'refunded' } }
    },
  },
  {
    of: 'POST /quotes',
    name: 'of a draft',
    make: async (scene) => ({ ...byStaff(scene), method: 'post', path: '/quotes', body: DRAFT, resources: ['quote'] }),
  },
  {
    of: 'POST /quotes/{id}/cancel',
    name: 'accepted',
    make: async (scene) => {
      const id = await sentQuote(scene.at.acme)
      expect((await scene.at.buyer.post(`/quotes/${id}/accept`)).status).toBe(200)
      return { ...byStaff(scene), method: 'post', path: `/quotes/${id}/cancel` }
    },
  },
  {
    of: 'POST /quotes/{id}/adjust',
    name: 'by IPCA',
    make: async (scene) => {
      const { acme } = scene.at
      await publish(acme, 'IPCA', '2023-01', IPCA_2023)
      const { id } = await draftQuote(acme)
      const body = { price_index: 'IPCA', until_month: '2023-12', line_items: [0] }
      return { ...byStaff(scene), method: 'post', path: `/quotes/${id}/adjust`, body, resources: ['quote'] }
    },
  },
  ...(['cancel', 'suspend'] as const).map((act) => ({
    of: `POST /entitlements/{id}/${act}`,
    name: 'with what hangs on it',
    make: async (scene: DryRunScene): Promise<Request> => {
      const { entitlements } = await sold(scene, [LICENSE_LINE])
      const path = `/entitlements/${entitlements[0].id}/${act}`
      return {
        ...byStaff(scene),
        method: 'post',
        path,
        body: { reason: 'Misused' },
        resources: ['entitlement', 'license'],
      }
    },
  })),
  {
    of: 'POST /invoices/{id}/void',
    name: 'declared before its payment',
    make: async (scene) => {
      const { app, acme } = scene.at
      const id = await openInvoice(app, acme)
      expect((await acme.staff.post('/tax-invoices', { invoice_id: id })).status).toBe(201)
      return {
        ...byStaff(scene),
        method: 'post',
        path: `/invoices/${id}/void`,
        resources: ['invoice', 'tax_invoice'],
        requests: ['tax_authority cancel_tax_invoice'],
      }
    },
  },
  {
    of: 'PUT /invoices/{id}/due-date',
    name: 'with a checkout',
    make: async (scene) => {
      const { invoice_id } = await bought(scene.at)
      return {
        ...byStaff(scene),
        method: 'put',
        path: `/invoices/${invoice_id}/due-date`,
        body: { due_date: '2999-12-31', reason: 'Payment plan agreed on' },
        resources: ['invoice'],
        requests: ['payment_provider replace_checkout', 'mail invoice-due-date-changed'],
      }
    },
  },
  ...['60.00', '170.00'].map((amount) => ({
    of: 'POST /payments/{id}/move',
    name: `of ${amount}`,
    make: async (scene: DryRunScene): Promise<Request> => {
      const payment = await paidByHand(scene, amount)
      return {
        ...byStaff(scene),
        method: 'post',
        path: `/payments/${payment}/move`,
        body: { invoice_id: await declared(scene) },
        resources: ['payment', 'invoice'],
        requests: ['mail payment-moved', 'mail payment-receipt'],
      }
    },
  })),
  ...['60.00', '150.00'].map((amount) => ({
    of: 'POST /invoices/{id}/credit-notes',
    name: `of ${amount}`,
    make: async (scene: DryRunScene): Promise<Request> => {
      const { invoice_id } = await bought(scene.at)
      const body = { reason: 'Billed twice', amount }
      return { ...byStaff(scene), method: 'post', path: `/invoices/${invoice_id}/credit-notes`, body }
    },
  })),
  {
    of: 'DELETE /organizations/{id}',
    name: 'with a purchase',
    make: async ({ at }) => {
      const gone = await at.app.world.organization()
      await buyerOf(gone)
      return { organization: gone, speaker: gone.staff, method: 'delete', path: `/organizations/${gone.id}` }
    },
  },
  ...OF_SUBSCRIPTIONS,
  {
    of: 'POST /tax-invoices/{id}/cancel',
    name: 'issued',
    make: async (scene) => {
      const { notes } = await sold(scene, [LICENSE_LINE])
      const path = `/tax-invoices/${notes[0].id}/cancel`
      return { ...byStaff(scene), method: 'post', path, body: CANCELLED }
    },
  },
]

/** The provider tells what became of the refunds that it was asked for. */
export async function confirmRefunds({ at }: DryRunScene): Promise<void> {
  for (const refund of at.stripe.refunds.values())
    await sendEvent(at, 'refund.updated', Object.assign(refund, { status: 'succeeded' }))
}
