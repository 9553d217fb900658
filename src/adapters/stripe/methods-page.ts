// The page of Stripe's customer portal that replaces the payment method, and nothing else of the portal: subscriptions
// and invoices have other permissions here (docs.stripe.com/customer-management/portal-deep-links).
import type { StripeApi } from './api.ts'
import { SessionAnswer } from './shapes.ts'

export async function openMethodsPage(api: StripeApi, customer: string, return_url: string): Promise<string> {
  const { url } = await api.ask(SessionAnswer, (stripe) =>
    stripe.billingPortal.sessions.create({
      customer,
      return_url,
      flow_data: {
        type: 'payment_method_update',
        after_completion: { type: 'redirect', redirect: { return_url } },
      },
    }),
  )
  return url
}
