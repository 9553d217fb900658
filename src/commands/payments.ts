// The payment provider of each legal entity: Stripe, the sandbox (sandbox.ts) or none.
import type { Ports } from '#kernel/data/context.ts'
import type { Company } from '#kernel/values/schema.ts'
import type { Payments } from '#ports/payments.ts'
import { stripePayments } from '../adapters/stripe/stripe.ts'
import type { Config } from '#config/config.ts'
import { localUrl } from '#config/http.ts'
import type { Secrets } from './secrets.ts'

type PaymentsOptions = { config: Config; secrets: Secrets }

export function paymentsOf(chosen: PaymentsOptions): Ports['payments'] {
  return { entity_br: paymentsFor(chosen, 'entity_br'), entity_global: paymentsFor(chosen, 'entity_global') }
}

function paymentsFor({ config, secrets }: PaymentsOptions, company: Company): Payments | null {
  const choice = config.payments[company]
  switch (choice.provider) {
    case 'none':
      return null
    case 'stripe':
      return stripePayments({ ...choice, company, livemode: !config.sandbox })
    case 'sandbox':
      return stripePayments({ ...sandboxAccount({ config, secrets }, company), company, livemode: false })
  }
}

/** The sandbox implements Stripe's protocol at an address of this service (docs/interface/integrations.md). */
function sandboxAccount({ config, secrets }: PaymentsOptions, company: Company) {
  const { secretKey, webhookSecret } = secrets.sandboxPayments[company]
  const url = `${localUrl(config)}/sandbox/payments/${company}`
  return { url, secretKey, webhookSecrets: [webhookSecret], providerName: 'sandbox' }
}
