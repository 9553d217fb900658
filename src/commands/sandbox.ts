// The systems that the sandbox has in place of other ones. None of them is there without SANDBOX.
import { COMPANIES, type Company } from '#kernel/values/schema.ts'
import { createSandboxMail, type SandboxMail } from '../adapters/sandbox/mail.ts'
import { sandboxPaymentProvider, type SandboxPaymentProvider } from '../adapters/sandbox/payments/provider.ts'
import { onDemand, type SandboxSystem } from '../adapters/sandbox/system.ts'
import { sandboxTaxAuthority, type SandboxTaxAuthority } from '../adapters/sandbox/tax/authority.ts'
import { fromStripe } from '../adapters/stripe/amounts.ts'
import { SANDBOX_PROJECTS } from './issue-tracker.ts'
import { localUrl } from '#config/http.ts'
import type { Composition } from './compose.ts'
import { crmWebhookUrl } from './crm.ts'

export type Sandbox = {
  mail: SandboxMail | null
  payments: SandboxPaymentProvider
  tax: SandboxTaxAuthority
  /** All that answer under `/sandbox`. */
  systems: readonly SandboxSystem[]
}

export function sandboxOf(composition: Composition): Sandbox {
  const { config, log, clock } = composition
  const { dataDir } = config
  const onError =
    (system: string): OnError =>
    (error, about) =>
      log.warn({ err: error, about }, `${system} sandbox`)
  const now = clock && { now: clock }
  const payments = paymentProviderOf(composition, onError('payment'))
  const providerName = config.entities.entity_br.name
  const tax = sandboxTaxAuthority({ dataDir, providerName, ...now, onError: onError('tax') })
  const mail = config.mail.kind === 'sandbox' ? createSandboxMail({ dataDir, from: config.mail.from, ...now }) : null
  return {
    mail,
    payments,
    tax,
    systems: [
      {
        urls: ['/sandbox/payments/*', '/sandbox/pay/*'],
        handle: (exchange) => payments.handle(exchange),
        stop: () => payments.stop(),
      },
      { urls: ['/sandbox/tax/*'], handle: (exchange) => tax.handle(exchange) },
      ...(mail ? [{ urls: ['/sandbox/mail/*'], handle: mail.handle }] : []),
      trackerOf(composition, onError('issue tracker')),
      ...COMPANIES.map((company) => crmOf(composition, company, onError('CRM'))),
      ...COMPANIES.map((company) => shopOf(composition, company, onError('shop'))),
    ],
  }
}

type OnError = (error: unknown, about: string) => void

function paymentProviderOf({ config, secrets }: Composition, onError: OnError): SandboxPaymentProvider {
  const account = (company: Company) => ({ seller: config.entities[company].name, ...secrets.sandboxPayments[company] })
  return sandboxPaymentProvider({
    companies: { entity_br: account('entity_br'), entity_global: account('entity_global') },
    dataDir: config.dataDir,
    publicUrl: config.publicUrl,
    serviceUrl: localUrl(config),
    amountOf: fromStripe,
    onError,
  })
}

function crmOf({ config, secrets, clock }: Composition, company: Company, onError: OnError) {
  const { crm, dataDir } = config
  const choice = crm[company]
  const cnpjProperty = choice.provider === 'none' ? 'cnpj' : choice.cnpjProperty
  const open = async () => {
    const { openCrm } = await import('../adapters/sandbox/crm/crm.ts')
    const account = { company, dataDir, cnpjProperty, ...secrets.sandboxCrms[company] }
    const now = clock && { now: clock }
    return openCrm({ ...account, webhookUrl: crmWebhookUrl(localUrl(config), company), ...now, onError })
  }
  return onDemand([`/sandbox/crm/${company}/*`], open, onError)
}

function shopOf({ config, secrets, clock }: Composition, company: Company, onError: OnError) {
  const open = async () => {
    const { openShop } = await import('../adapters/sandbox/shop/shop.ts')
    const webhookUrl = `${localUrl(config)}/api/v1/webhooks/commerce/${company}`
    const { dataDir } = config
    const account = { company, dataDir, webhookUrl, ...secrets.sandboxShops[company] }
    return openShop({ ...account, ...(clock && { now: clock }), onError })
  }
  return onDemand([`/sandbox/shop/${company}/*`], open, onError)
}

function trackerOf({ config, secrets, clock }: Composition, onError: OnError) {
  const open = async () => {
    const { openTracker } = await import('../adapters/sandbox/tracker/tracker.ts')
    const { dataDir, publicUrl, issueTracker } = config
    const webhookUrl = `${localUrl(config)}/api/v1/webhooks/issue-tracker`
    const protocol = issueTracker.kind === 'sandbox' ? issueTracker.protocol : 'github'
    return openTracker({
      dataDir,
      publicUrl,
      protocol,
      project: SANDBOX_PROJECTS[protocol],
      webhookUrl,
      ...secrets.sandboxTracker,
      ...(clock && { now: clock }),
      onError,
    })
  }
  return onDemand(['/sandbox/tracker/*'], open, onError)
}
