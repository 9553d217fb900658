// The page of Stripe's customer portal, as the account has set it up (docs.stripe.com/customer-management).
import type { StripeApi } from './api.ts'
import { SessionAnswer } from './shapes.ts'

export async function openMethodsPage(api: StripeApi, customer: string, return_url: string): Promise<string> {
  const { url } = await api.ask(SessionAnswer, (stripe) =>
    stripe.billingPortal.sessions.create({ customer, return_url }),
  )
  return url
}
