// Each declared setting counts at once where it is read, in a process that did not change it, and each is in the
// table below: a setting without an effect has no place here.
import { afterAll, describe, expect, it } from 'vitest'
import { SETTING_NAMES, type SettingName } from '#ports/company-settings.ts'
import type { SettingsOf } from '#ports/setting-declaration.ts'
import type { DocumentTemplate } from '#ports/documents.ts'
import { startApp, type TestApp } from '#test/harness/app.ts'
import { mailsTo } from '#test/harness/mailbox.ts'
import { setSettings } from '#test/scenes/settings.ts'
import { affiliateIn } from '#test/scenes/affiliates.ts'
import { acceptedQuote, buyerOf, LICENSE_LINE, sentQuote } from '#test/scenes/commerce.ts'
import { crmScene } from '#test/scenes/crm.ts'
import { entitlement } from '#test/scenes/licenses.ts'
import { MONTHLY, sold, subscriptionOf } from '#test/scenes/own-billing.ts'
import { promised } from '#test/scenes/service-levels.ts'
import { lineOf, openInvoice } from '#test/scenes/paid-invoices.ts'
import { retentionEffects } from '#test/scenes/retention-effects.ts'
import { serviceEffects } from '#test/scenes/service-effects.ts'
import { PROFILE } from '#test/stand-ins/tax-authority.ts'
import { bought as boughtByStripe, stripeScene } from '#test/scenes/stripe.ts'
import { trackedTickets } from '#test/scenes/tracked-tickets.ts'
import { taxScene } from '#test/scenes/tax-scene.ts'

const DAY_MS = 86_400_000
const environment = {
  ENTITY_BR_PAYMENTS: 'offline',
  ENTITY_BR_PIX_KEY: 'pix@titular.example',
  ENTITY_BR_PIX_CITY: 'Natal',
}

/** What changes the settings, and what they are for. */
const changing = await startApp({ environment })
let drawn: DocumentTemplate | null = null
const documents = {
  render: (template: DocumentTemplate) => {
    drawn = template
    return Promise.resolve(Buffer.from('%PDF-1.7'))
  },
}
const app = await startApp({ environment, beside: changing, ports: { documents } })
afterAll(async () => {
  await app.close()
  await changing.close()
})
const acme = await app.world.organization()
const buyer = await buyerOf(acme)

async function run(kind: string): Promise<void> {
  await app.database.query('insert into jobs (kind, run_at) values ($1, $2)', [kind, app.clock.now])
  await app.service.worker.drain()
}

async function bought(more: object = {}): Promise<{ order_id: number; invoice_id: number }> {
  const sale = await acceptedQuote(app, acme, buyer, more)
  await acme.staff.post(`/invoices/${sale.invoice_id}/pay`, {})
  await app.service.worker.drain()
  return sale
}

const daysBetween = (from: string | Date, to: string | Date): number =>
  Math.round((new Date(to).getTime() - new Date(from).getTime()) / DAY_MS)

/** `each`: a value, and what is seen with it. */
type Effect = { of: SettingsOf; at?: TestApp; seen: () => Promise<unknown>; each: [value: unknown, seen: unknown][] }

const opened = async (body: object) => {
  const agent = await acme.member({ scopes: ['tickets'] })
  return agent.post('/tickets', { title: 'Down', ...body })
}

const tax = await taxScene()
afterAll(() => tax.app.close())

/** An open invoice of which no job has run. */
const billed = async (): Promise<number> => {
  const body = { currency: 'BRL', company: 'entity_br', total: '150.00', status: 'open' }
  const answer = await acme.staff.post('/invoices', body)
  expect(answer.status, answer.raw.body).toBe(201)
  return answer.data.id
}
const letterhead = async () => {
  await acme.staff.get(`/invoices/${await billed()}/pdf`)
  return drawn?.letterhead
}

const profileFrom = (valid_from: string, national: string) => ({
  ...PROFILE,
  valid_from,
  services: { default: { national } },
})

const crm = await crmScene()
afterAll(() => crm.close())
const dealOf = async () => {
  const org = await crm.app.world.organization()
  const id = await sentQuote(org)
  await crm.app.service.worker.drain()
  const deals = [...crm.portal.store.deals.values()].map(({ properties }) => properties)
  return deals.find(({ titular_quote_id: quote }) => quote === String(id))
}

const byStripe = await stripeScene()
afterAll(() => byStripe.close())

const tracked = await trackedTickets('jira')
afterAll(() => tracked.close())
const issueOf = async (id: number) => tracked.tracker.issue(Number((await tracked.issue(id)).key.slice(4)))

const pixCode = async (): Promise<string | undefined> =>
  (await acme.staff.get(`/invoices/${await billed()}/payment-options`)).data.options.pix?.copy_code

const drafts = async () => (await acme.staff.get('/quotes?status=draft')).meta?.total ?? 0

const EFFECTS: Record<SettingName, Effect> = {
  name: {
    of: 'entity_br',
    seen: async () => {
      const { url } = (await acme.staff.get(`/invoices/${await billed()}/payment-options`)).data
      const page = await acme.owner.get(`/public${new URL(url).pathname}`)
      return [(await letterhead())?.name, page.data.seller]
    },
    each: ['Padaria & Cia "Ltda" 🥖', 'Ação S.A.'].map((one) => [one, [one, one]]),
  },
  brand_name: {
    of: 'entity_br',
    seen: async () => {
      const page = await app.service.app.inject({ url: '/reset-password' })
      return [(await app.world.anonymous.get('/brand')).data.name, /<bdi>(.*)<\/bdi>/.exec(page.body)?.[1]]
    },
    each: [
      ['Ação', ['Ação', 'Ação']],
      ['P & B "x" 🥖', ['P & B "x" 🥖', 'P &amp; B &quot;x&quot; 🥖']],
    ],
  },
  brand_color: {
    of: 'entity_br',
    seen: async () => {
      await letterhead()
      return [(await app.world.anonymous.get('/brand')).data.color, drawn?.brand?.color]
    },
    each: [
      ['#0F766E', ['#0f766e', '#0f766e']],
      ['#ffee00', ['#ffee00', '#7a7200']],
    ],
  },
  support_url: {
    of: 'entity_br',
    seen: async () => {
      const page = await app.service.app.inject({ url: '/reset-password' })
      return [
        (await app.world.anonymous.get('/brand')).data.support_url,
        /<footer><a href="([^"]*)/.exec(page.body)?.[1],
      ]
    },
    each: [
      ['mailto:help@vendor.example', ['mailto:help@vendor.example', 'mailto:help@vendor.example']],
      ['', [null, undefined]],
    ],
  },
  address: {
    of: 'entity_br',
    seen: async () => (await letterhead())?.lines.at(-1),
    each: ['Rua Augusta, 100', 'Av. Paulista, 1'].map((one) => [one, one]),
  },
  bank_account: {
    of: 'entity_br',
    seen: async () =>
      (await acme.staff.get(`/invoices/${await billed()}/payment-options`)).data.options.bank_transfer?.details,
    each: [
      [[{ label: 'Banco', value: '001' }], [{ label: 'Banco', value: '001' }]],
      [[], undefined],
    ],
  },
  pix_key: {
    of: 'entity_br',
    seen: async () => /br\.gov\.bcb\.pix01\d\d(.*?)5204/.exec((await pixCode()) ?? '')?.[1],
    each: [
      ['+5511999990000', '+5511999990000'],
      ['', undefined],
    ],
  },
  pix_city: {
    of: 'entity_br',
    seen: async () => /60\d\d([A-Za-z ]+)62/.exec((await pixCode()) ?? '')?.[1],
    each: ['São Luís', 'Sao Luis', 'Recife'].map((one) => [one, one.normalize('NFKD').replaceAll(/[^ -~]/g, '')]),
  },
  payment_methods: {
    of: 'entity_br',
    at: byStripe.app,
    seen: async () => {
      const { invoice_id, reference } = await boughtByStripe(byStripe)
      const { options } = (await byStripe.buyer.get(`/invoices/${invoice_id}/payment-options`)).data
      return [byStripe.stripe.invoices.get(reference)?.payment_settings?.payment_method_types, options.pix !== null]
    },
    each: [
      [['card'], [['card'], false]],
      [
        ['pix', 'sepa_debit'],
        [['pix', 'sepa_debit'], true],
      ],
      [
        ['card', 'boleto'],
        [['card', 'boleto'], false],
      ],
    ],
  },
  mail_attachments: {
    of: 'entity_br',
    seen: async () => {
      await app.service.worker.drain()
      const payer = await acme.member({ scopes: ['finances'] })
      await billed()
      await app.service.worker.drain()
      return (await mailsTo(app, payer.email)).map(({ attachments }) => attachments.length)
    },
    each: [
      [['xml'], [0]],
      [['pdf'], [1]],
    ],
  },
  self_service: {
    of: 'entity_br',
    seen: async () =>
      (await subscriptionOf({ app, acme, buyer }, await sold({ app, acme, buyer }, [MONTHLY]))).self_service,
    each: [
      [['pause'], ['pause']],
      [[], []],
    ],
  },
  refunds: {
    of: 'entity_br',
    seen: async () => {
      const { order_id } = await bought()
      const { refund_id } = (await buyer.post(`/orders/${order_id}/refund`, { amount: '10' })).data
      return (await buyer.get(`/refunds/${refund_id}`)).data.is_approved
    },
    each: [
      ['approve', false],
      ['automatic', true],
    ],
  },
  renewal_invoice_days: {
    of: 'entity_br',
    seen: async () => {
      const subscription = await subscriptionOf({ app, acme, buyer }, await sold({ app, acme, buyer }, [MONTHLY]))
      return daysBetween(subscription.next_invoice_at, subscription.invoiced_until)
    },
    each: [
      [20, 20],
      [3, 3],
    ],
  },
  renewal_quote_days: {
    of: 'entity_br',
    seen: async () => {
      const { order_id } = await bought({ line_items: [{ ...LICENSE_LINE, term_months: 12 }] })
      await app.database.query(
        `update entitlements set expires_at = $2, created_at = $2::timestamptz - interval '1 year' where order_id = $1`,
        [order_id, new Date(app.clock.now.getTime() + 20 * DAY_MS)],
      )
      const before = await drafts()
      await run('quotes/renewals')
      const found = (await drafts()) - before
      await app.database.query('update entitlements set expires_at = null where order_id = $1', [order_id])
      return found
    },
    each: [
      [10, 0],
      [30, 1],
    ],
  },
  commission_days: {
    of: 'entity_br',
    seen: async () => {
      const partner = await app.world.organization()
      const { id, code } = await affiliateIn(partner)
      await bought({ affiliate_code: code })
      const [referral] = (await partner.owner.get(`/affiliates/${id}/referrals`)).data
      return daysBetween(app.clock.now, referral.earns_at)
    },
    each: [
      [10, 10],
      [90, 90],
    ],
  },
  satisfaction: {
    of: 'entity_br',
    seen: async () => {
      const { id: entitlement_id } = await entitlement(acme, { class: 'ENV' })
      const { id } = (await opened({ entitlement_id })).data
      await acme.staff.post(`/tickets/${id}/status`, { status: 'resolved' })
      await app.service.worker.drain()
      return (await acme.staff.get(`/tickets/${id}/satisfaction`)).status
    },
    each: [
      [false, 404],
      [true, 200],
    ],
  },
  tax_issue_rule: {
    of: 'entity_br',
    at: tax.app,
    seen: async () => {
      const invoice = await openInvoice(tax.app, tax.acme, { total: '10.00', lines: [lineOf('PLG', '10.00')] })
      await tax.app.database.query(
        `insert into jobs (organization_id, kind, payload, run_at)
         values ($1, 'tax-invoices/open', jsonb_build_object('event_id', 1, 'resource_id', $2::bigint), $3)`,
        [tax.acme.id, invoice, tax.app.clock.now],
      )
      await tax.work()
      const rows = await tax.app.database.query('select 1 from tax_invoices where invoice_id = $1', [invoice])
      return rows.length
    },
    each: [
      ['on_payment', 0],
      ['on_finalize', 1],
    ],
  },
  fiscal_profiles: {
    of: 'entity_br',
    at: tax.app,
    seen: async () => {
      const invoice = await openInvoice(tax.app, tax.acme, { total: '10.00', lines: [lineOf('PLG', '10.00')] })
      const made = await tax.acme.staff.post('/tax-invoices', { invoice_id: invoice })
      expect(made.status, made.raw.body).toBe(201)
      return [made.data.service_code, made.data.error_code]
    },
    each: [
      [
        [profileFrom('2020-01-01', '010501'), profileFrom('2020-06-01', '010701')],
        ['010701', null],
      ],
      [
        [profileFrom('2020-01-01', '010501'), profileFrom('2099-01-01', '010701')],
        ['010501', null],
      ],
      [[profileFrom('2099-01-01', '010701')], [null, 'NO_FISCAL_PROFILE']],
      [[], [null, 'NO_FISCAL_PROFILE']],
    ],
  },
  ticket_classes: {
    of: 'vendor',
    seen: async () => (await opened({})).status,
    each: [
      [['ENV'], 422],
      [['none'], 201],
    ],
  },
  tickets_without_entitlement: {
    of: 'vendor',
    seen: async () => {
      const { id } = await entitlement(acme, { class: 'ENV' })
      await acme.staff.post(`/entitlements/${id}/suspend`)
      return (await opened({ entitlement_id: id })).status
    },
    each: [
      ['refuse', 409],
      ['flag', 201],
    ],
  },
  sla_warning_percent: {
    of: 'vendor',
    seen: async () => {
      const entitlement_id = await promised(acme, { sla_first_response_minutes: { normal: 100 } })
      const { id } = (await acme.staff.post('/tickets', { title: 'Down', entitlement_id })).data
      const [ticket] = await app.database.query<{ minutes: number }>(
        `select extract(epoch from first_response_warn_at - created_at)::int / 60 as minutes
           from tickets where id = $1`,
        [id],
      )
      return ticket?.minutes
    },
    each: [
      [50, 50],
      [80, 80],
    ],
  },
  expiry_warning_days: {
    of: 'vendor',
    seen: async () => {
      const expires_at = new Date(app.clock.now.getTime() + 10 * DAY_MS).toISOString()
      const { id } = await entitlement(acme, { class: 'ENV', expires_at })
      await run('entitlements/warn')
      return app.database.query(
        `select (data ->> 'expiry_warned_days')::int as days from events
          where type = 'titular/entitlement/expiring' and resource_id = $1`,
        [id],
      )
    },
    each: [
      [[], []],
      [[5, 30, 12], [{ days: 12 }]],
    ],
  },
  hidden_scopes: {
    of: 'vendor',
    seen: async () => [(await acme.owner.get('/contracts')).status, (await acme.owner.get('/quotes')).status],
    each: [
      [['contracts'], [403, 200]],
      [
        ['quotes', 'downloads'],
        [200, 403],
      ],
      [[], [200, 200]],
    ],
  },
  staff_entry: {
    of: 'vendor',
    seen: async () => (await (await acme.staffAs('support')).get('/tickets')).status,
    each: [
      ['reason', 403],
      ['open', 200],
    ],
  },
  reasons: {
    of: 'vendor',
    seen: async () => (await acme.staff.put(`/organizations/${acme.id}`, { phone: '1' })).status,
    each: [
      ['required', 422],
      ['optional', 200],
    ],
  },
  deal_pipeline: {
    of: 'entity_br',
    at: crm.app,
    seen: async () => (await dealOf())?.['pipeline'],
    each: ['sales', 'partners-2'].map((one) => [one, one]),
  },
  deal_stages: {
    of: 'entity_br',
    at: crm.app,
    seen: async () => (await dealOf())?.['dealstage'],
    each: [
      [[{ label: 'sent', value: 'offered' }], 'offered'],
      [[{ label: 'paid', value: 'won' }], 'presentationscheduled'],
    ],
  },
  issue_statuses: {
    of: 'vendor',
    at: tracked.app,
    seen: async () => {
      const id = await tracked.linked()
      await tracked.move(id, 'resolved')
      await tracked.work()
      return (await issueOf(id)).status
    },
    each: [
      [[{ label: 'resolved', value: 'In Progress' }], 'In Progress'],
      [[], 'To Do'],
    ],
  },
  issue_public_prefix: {
    of: 'vendor',
    at: tracked.app,
    seen: async () => {
      const id = await tracked.linked()
      tracked.app.clock.advance(1)
      tracked.tracker.comment(Number((await tracked.issue(id)).key.slice(4)), '#customer It was the disk.')
      await tracked.later(3700)
      return (await tracked.comments(id)).length
    },
    each: [
      ['#customer', 1],
      ['/other', 0],
    ],
  },
  ...serviceEffects(app, acme),
  ...retentionEffects(app, acme, run),
}

describe.each(SETTING_NAMES)('%s', (name) => {
  it('counts at once, in every process, and as the environment says when it is given back', async () => {
    const { of, at = changing, seen, each } = EFFECTS[name]
    for (const [value, expected] of each) {
      await setSettings(at, of, { [name]: value })
      expect(await seen(), JSON.stringify(value)).toEqual(expected)
    }
    await setSettings(at, of, { [name]: null })
  })
})
