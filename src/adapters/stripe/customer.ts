// The organization's customer at Stripe: made once, then kept up to date.
import { type CheckoutRequest, PaymentRefused } from '#ports/payments.ts'
import type { StripeApi } from './api.ts'
import { CustomerAnswer } from './shapes.ts'

type Named = Pick<
  CheckoutRequest,
  'organizationId' | 'organizationName' | 'organizationEmail' | 'organizationCnpj' | 'customer'
>

/**
 * Keyed by the organization, not by the checkout: two first checkouts at once, or a repeat after the organization was
 * given its customer id, end at the same customer. What can change later (name, email) is set apart from the key.
 */
export async function ensureCustomer(api: StripeApi, named: Named): Promise<string> {
  if (named.customer !== null) return named.customer
  const organization = String(named.organizationId)
  const { id } = await api.ask(CustomerAnswer, (stripe) =>
    stripe.customers.create(
      { metadata: { organization_id: organization } },
      { idempotencyKey: `organization-${organization}-customer` },
    ),
  )
  await api.ask(CustomerAnswer, (stripe) =>
    stripe.customers.update(id, { name: named.organizationName, email: named.organizationEmail ?? '' }),
  )
  if (named.organizationCnpj !== null) await giveCnpj(api, id, named.organizationCnpj)
  return id
}

/** For the page that Stripe shows; one that Stripe does not take must not keep anybody from paying. */
async function giveCnpj(api: StripeApi, customer: string, value: string): Promise<void> {
  const idempotencyKey = `customer-${customer}-br_cnpj-${value}`
  try {
    await api.ask(CustomerAnswer, (stripe) =>
      stripe.customers.createTaxId(customer, { type: 'br_cnpj', value }, { idempotencyKey }),
    )
  } catch (error) {
    if (!(error instanceof PaymentRefused)) throw error
  }
}
