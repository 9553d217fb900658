// The organization's customer at Stripe: created once, then updated.
import { type CheckoutRequest, PaymentRefused } from '#ports/payments.ts'
import type { StripeApi } from './api.ts'
import { CustomerAnswer } from './shapes.ts'

type CustomerDetails = Pick<
  CheckoutRequest,
  'organizationId' | 'organizationName' | 'organizationEmail' | 'organizationCnpj' | 'customer'
>

/**
 * The idempotency key is of the organization, not of the checkout: two first checkouts at once, or a repeat after the
 * customer id was stored, give the same customer. Name and email can change later, so that they are set by another
 * call.
 */
export async function ensureCustomer(api: StripeApi, named: CustomerDetails): Promise<string> {
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
  if (named.organizationCnpj !== null) await addCnpj(api, id, named.organizationCnpj)
  return id
}

/** For Stripe's page; a CNPJ that Stripe refuses must not prevent the payment. */
async function addCnpj(api: StripeApi, customer: string, value: string): Promise<void> {
  const idempotencyKey = `customer-${customer}-br_cnpj-${value}`
  try {
    await api.ask(CustomerAnswer, (stripe) =>
      stripe.customers.createTaxId(customer, { type: 'br_cnpj', value }, { idempotencyKey }),
    )
  } catch (error) {
    if (!(error instanceof PaymentRefused)) throw error
  }
}
