// Who takes the money of each legal entity: Stripe, the sandbox, or nobody.
import type { Ports } from '#kernel/data/context.ts'
import type { Company } from '#kernel/values/schema.ts'
import type { Payments } from '#ports/payments.ts'
import '#ports/ports.ts'
import { sandboxPayments } from '../adapters/sandbox/payments/client.ts'
import { sandboxPaymentProvider, type SandboxPaymentProvider } from '../adapters/sandbox/payments/provider.ts'
import { stripePayments } from '../adapters/stripe/stripe.ts'
import type { Config } from '#config/config.ts'
import { localUrl } from '#config/http.ts'
import type { Secrets } from './secrets.ts'

type Chosen = { config: Config; secrets: Secrets }

export function paymentsOf(chosen: Chosen): Ports['payments'] {
  return { entity_br: paymentsFor(chosen, 'entity_br'), entity_global: paymentsFor(chosen, 'entity_global') }
}

function paymentsFor({ config, secrets }: Chosen, company: Company): Payments | null {
  const choice = config.payments[company]
  switch (choice.provider) {
    case 'none':
      return null
    case 'stripe':
      return stripePayments({ ...choice, company, livemode: !config.sandbox })
    case 'sandbox':
      return sandboxPayments({
        company,
        baseUrl: `${localUrl(config)}/sandbox/payments/${company}`,
        secretKey: secrets.sandboxPayments[company].secretKey,
        webhookSecrets: [secrets.sandboxPayments[company].webhookSecret],
        livemode: false,
      })
  }
}

export function sandboxProviderOf(
  { config, secrets }: Chosen,
  onError: (error: unknown, about: string) => void,
): SandboxPaymentProvider {
  const account = (company: Company) => ({ seller: config.entities[company].name, ...secrets.sandboxPayments[company] })
  return sandboxPaymentProvider({
    companies: { entity_br: account('entity_br'), entity_global: account('entity_global') },
    dataDir: config.dataDir,
    publicUrl: config.publicUrl,
    serviceUrl: localUrl(config),
    onError,
  })
}
