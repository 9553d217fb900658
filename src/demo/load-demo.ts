// The demo: two organizations, one per legal entity, people in each role, quotes in every state. Created by the
// operations that requests use, so that it has events, mails and audit entries.
import { nameContact } from '#modules/messages/contacts/name-contact.ts'
import { cancelQuote } from '#modules/sales/payments/cancel-order.ts'
import { expireQuote, rejectQuote, viewQuote } from '#modules/sales/quotes/decide-quote.ts'
import { changeQuote, createQuote } from '#modules/sales/quotes/draft-quote.ts'
import { sendQuote } from '#modules/sales/quotes/send-quote.ts'
import { newLinkSecret } from '#modules/sales/quotes/links/link-quote.ts'
import { provisionOrder } from '#modules/sales/quotes/provision-order.ts'
import type { NewQuote } from '#modules/sales/quotes/quote.ts'
import { requestQuote } from '#modules/sales/quotes/requests/request-quote.ts'
import { reviseQuote } from '#modules/sales/quotes/revise-quote.ts'
import { addDays, dayIn } from '#kernel/values/time/calendar.ts'
import type { OrganizationContext } from '#kernel/data/context.ts'
import { sql } from '#kernel/values/sql.ts'
import type { Config } from '#config/config.ts'
import type { DemoService } from './demo-service.ts'
import { createCatalogue, FIRST_SKU } from './catalogue.ts'
import { demoInboundEvent } from './inbound-events.ts'
import { createReleases } from './releases.ts'
import { demoDesk } from './desk.ts'
import { demoDocument } from './documents.ts'
import { demoCommerce } from './commerce.ts'
import { demoCrm } from './crm.ts'
import { accept, acceptAndPay, demoCustomer, OFFER } from './sales.ts'
import { demoOtherSystems, PADARIA } from './other-systems.ts'
import { demoProgress } from './progress.ts'
import { demoRole, demoSignOn } from './sign-on.ts'
import { demoSite } from './site.ts'
import { type DemoCustomer, openDemoOrganization, signInsOf } from './organizations.ts'
import { DEMO_SIGN_INS, type SignIn } from './sign-ins.ts'
import { createStaff } from './staff.ts'
import { demoWebhookEndpoint } from './webhooks.ts'

const DEMO: readonly DemoCustomer[] = [
  {
    organization: {
      ...PADARIA,
      legal_name: 'Padaria São João Ltda.',
      country: 'BR',
      city: 'São Paulo',
      state: 'SP',
      type: 'company',
      website: 'https://www.padaria.example',
    },
    language: 'pt-BR',
    currency: 'BRL',
  },
  {
    organization: {
      name: 'Northwind Hosting',
      legal_name: 'Northwind Hosting Inc.',
      country: 'US',
      city: 'Portland',
      state: 'OR',
      type: 'company',
      website: 'https://northwind.example',
    },
    language: 'en',
    currency: 'USD',
  },
]

/** Does nothing in a database that has organizations, or a part of the demo. */
export async function loadDemo(service: DemoService, config: Config): Promise<SignIn[]> {
  const progress = await demoProgress(service, { sku: FIRST_SKU, organizations: DEMO.length })
  if (progress === 'partial')
    service.app.log.warn(
      'The demo is not whole, since a start ended while it was loaded: begin anew with an empty database.',
    )
  if (progress !== 'none') return []
  const signIns: SignIn[] = []
  const [hash, products] = await Promise.all([
    service.ports.passwords.hash(DEMO_SIGN_INS.password),
    createCatalogue(service),
  ])
  await demoInboundEvent(service)
  await demoDesk(service)
  if (config.isLocal) signIns.push(...(await createStaff(service, hash)))
  for (const one of DEMO) {
    const id = await createDemoOrganization(service, one, hash)
    await demoQuotes(service, id, { currency: one.currency, products })
    if (one === DEMO[0]) await createReleases(service, id, products)
    await demoDocument(service, id, one.language)
    signIns.push(...signInsOf(one.organization.name, id))
  }
  await demoOtherSystems(service)
  return signIns
}

function createDemoOrganization(service: DemoService, demo: DemoCustomer, hash: string): Promise<number> {
  const { secretKey } = service.ports
  return service.transactions.asSystem('the demo', service.origin(), async (ctx) => {
    const byOwner = await openDemoOrganization(ctx, demo, hash)
    await nameContact(byOwner, { role: 'technical', user_id: byOwner.caller.userId ?? 0 })
    await demoWebhookEndpoint(byOwner, secretKey)
    await demoSignOn(byOwner, secretKey)
    await demoRole(byOwner)
    return byOwner.organizationId
  })
}

/** State → the operation that brings a sent quote there. */
const STATES: Record<string, (ctx: OrganizationContext, id: number) => Promise<unknown>> = {
  sent: async () => {},
  viewed: async (ctx, id) => viewQuote(ctx, { id }),
  accepted: accept,
  rejected: async (ctx, id) => rejectQuote(ctx, id, { reason: 'We will come back to it next year' }),
  cancelled: async (ctx, id) => cancelQuote(ctx, id),
  paid: acceptAndPay,
  fulfilled: acceptAndPay,
}

type Sale = { currency: string; products: readonly number[] }

async function demoQuotes(service: DemoService, organizationId: number, { currency, products }: Sale): Promise<void> {
  const origin = service.origin()
  const inOrganization = <Result>(run: (ctx: OrganizationContext) => Promise<Result>, now = origin.now) =>
    service.transactions.inOrganization(organizationId, { ...origin, now }, run)
  const { secretKey, issueTracker } = service.ports
  const tracker = issueTracker?.name ?? 'none'
  const valid_until = addDays(dayIn(origin.now, 'UTC'), 60)
  // First, so that its records have the ids in the examples of the API reference.
  await inOrganization((ctx) => demoCustomer(ctx, { currency, valid_until, secretKey, tracker }))
  await inOrganization(demoSite)
  await inOrganization(demoCrm)
  const { entity_br, entity_global } = service.ports.commerce
  if (!entity_br && !entity_global) await inOrganization(demoCommerce)
  await inOrganization((ctx) =>
    createQuote(ctx, { ...OFFER, currency, valid_until, notes: 'A draft: only staff see it' }),
  )
  for (const [status, act] of Object.entries(STATES))
    await inOrganization(async (ctx) => {
      const { id } = await createQuote(ctx, { ...OFFER, currency, valid_until })
      await sendQuote(ctx, id, { body: {}, secret: newLinkSecret(secretKey) })
      await act(ctx, id)
      if (status === 'paid') await makeProvisioningDeadLetter(ctx, id)
    })
  const [product_id = 0] = products
  await inOrganization((ctx) => requestQuote(ctx, { currency, line_items: [{ product_id, quantity: 5 }] }))
  await inOrganization((ctx) => demoVersions(ctx, { currency, valid_until, line_items: linesOf(products) }, secretKey))
  // Created as of a month ago, so that it has expired.
  const past = new Date(origin.now.getTime() - 30 * 86_400_000)
  const old = await inOrganization(async (ctx) => {
    const { id } = await createQuote(ctx, { ...OFFER, currency, valid_until: dayIn(past, 'UTC') })
    await sendQuote(ctx, id, { body: {}, secret: newLinkSecret(secretKey) })
    return id
  }, past)
  await inOrganization((ctx) => expireQuote(ctx, old))
}

const linesOf = (products: readonly number[]): NewQuote['line_items'] =>
  products.map((product_id, index) => ({
    product_id,
    quantity: index === 0 ? 10 : 1,
    tax_percent: '5',
    ...(index === 0 && { discount_percent: '12.5' }),
  }))

/** A quote from the catalogue, sent, then revised with fewer lines and sent again. */
async function demoVersions(ctx: OrganizationContext, body: NewQuote, secretKey: string): Promise<void> {
  const { id } = await createQuote(ctx, { ...body, purchase_order: 'PO-2026-0042' })
  await sendQuote(ctx, id, { body: {}, secret: newLinkSecret(secretKey) })
  const next = await reviseQuote(ctx, id)
  await changeQuote(ctx, next.id, { line_items: body.line_items.slice(0, 1) })
  await sendQuote(ctx, next.id, { body: {}, secret: newLinkSecret(secretKey) })
}

/** So that one quote stays paid, and /admin/jobs lists a job to retry. */
async function makeProvisioningDeadLetter(ctx: OrganizationContext, quoteId: number): Promise<void> {
  await ctx.ask(sql`
    update jobs set dead_at = ${ctx.now}, last_error =
      'Held back by the demo: POST /admin/jobs/{id}/retry provisions the quote'
     where organization_id = ${ctx.organizationId} and kind = ${provisionOrder.name}
       and payload ->> 'resource_id' = ${String(quoteId)} returning id`)
}
