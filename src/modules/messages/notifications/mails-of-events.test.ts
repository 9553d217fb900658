// The mail of each announcement: the link of its button, and the zone of its times.
import { describe, expect, it } from 'vitest'
import { announcements } from '../../../modules.ts'
import { startApp, type TestApp } from '#test/harness/app.ts'
import { enqueueMail, mailsTo } from '#test/harness/mailbox.ts'
import type { Company } from '#kernel/values/schema.ts'
import type { Organization } from '#test/harness/world.ts'
import { deadLetters } from '#test/scenes/commerce.ts'
import { entitlement } from '#test/scenes/licenses.ts'
import { createRecords } from '#test/scenes/records.ts'

/** The page that says how an invoice is paid, with its token. */
const PAY_PAGE = '/invoices/'

/** For each mail of an event: the record that it is about, and the page that its button opens. */
const PAGES: Record<string, [about: string, page: string]> = {
  'quote-sent': ['quotes', '/offers/{quotes}?org={organizations}'],
  'quote-expiring': ['quotes', '/offers/{quotes}?org={organizations}'],
  'quote-requested': ['requests', '/quotes/requests/{requests}'],
  'quote-request-declined': ['requests', '/quotes/requests/{requests}'],
  'quote-accepted': ['quotes', '/orders/{orders}'],
  'payment-received': ['quotes', '/orders/{orders}'],
  'quote-fulfilled': ['quotes', '/orders/{orders}'],
  'order-invoice-open': ['invoices', PAY_PAGE],
  'invoice-open': ['invoices', PAY_PAGE],
  'invoice-reminder': ['invoices', PAY_PAGE],
  'charge-failed': ['orders', '/orders/{orders}'],
  'subscription-cancelled': ['orders', '/orders/{orders}'],
  'payment-failed': ['invoices', PAY_PAGE],
  'invoice-due-date-changed': ['invoices', PAY_PAGE],
  'arrears-ending': ['invoices', PAY_PAGE],
  'entitlements-suspended': ['suspended', '/entitlements/{suspended}'],
  'entitlements-resumed': ['resumed', '/entitlements/{resumed}'],
  'payment-moved': ['moved-payments', '/invoices/{invoices}'],
  'payment-surplus': ['payments', '/invoices/{invoices}'],
  'payment-receipt': ['payments', '/invoices/{invoices}'],
  'refund-succeeded': ['refunds', '/invoices/{invoices}'],
  'payout-paid': ['payouts', '/affiliates/{affiliates}'],
  'payout-rejected': ['payouts', '/affiliates/{affiliates}'],
  'tax-invoice-issued': ['tax-invoices', '/tax-invoices/{tax-invoices}'],
  'entitlement-expiring': ['entitlements', '/entitlements/{entitlements}'],
  'license-expiring': ['licenses', '/licenses/{licenses}'],
  'maintenance-scheduled': ['maintenance-windows', '/environments/{environments}'],
  'maintenance-changed': ['maintenance-windows', '/environments/{environments}'],
  'maintenance-cancelled': ['maintenance-windows', '/environments/{environments}'],
  'service-delivered': ['services', '/services/{services}'],
  'contract-ending': ['contracts', '/contracts/{contracts}'],
  'contract-notice': ['contracts', '/contracts/{contracts}'],
  'webhook-endpoint-disabled': ['webhook-endpoints', '/webhook-endpoints/{webhook-endpoints}'],
  'ticket-opened': ['tickets', '/tickets/{tickets}'],
  'ticket-commented': ['comments', '/tickets/{tickets}'],
  'ticket-moved': ['moves', '/tickets/{tickets}'],
  'ticket-satisfaction': ['ratings', '/tickets/{tickets}'],
  'ticket-sla-warning': ['tickets', '/tickets/{tickets}'],
  'ticket-sla-breached': ['tickets', '/tickets/{tickets}'],
  'api-key-expiring': ['api-keys', '/auth/api-keys/{api-keys}'],
  'invite-accepted': ['collaborators', '/team'],
  'membership-expiring': ['collaborators', '/team'],
}

/** One record of each kind, in a state in which each mail has content. */
async function recordsWithNews(app: TestApp, acme: Organization): Promise<Record<string, number | string>> {
  const records = await createRecords(app, acme)
  const [suspended, resumed] = [(await entitlement(acme)).id, (await entitlement(acme)).id]
  await app.service.worker.drain()
  const soon = new Date(app.clock.now.getTime() + 86_400_000)
  for (const statement of [
    `update quotes set status = 'sent' where organization_id = $1`,
    `update invoices set origin = 'order', ending_on = '2999-12-31' where organization_id = $1`,
    `update organizations set requires_invoice_for_payment = true where id = $1`,
    `update payments set invoice_id = (select min(id) from invoices where organization_id = $1) where organization_id = $1`,
    `update orders set subscription_cancelled_by = 'customer' where organization_id = $1`,
    `update services set status = 'delivered' where organization_id = $1`,
    `update ticket_history set from_status = 'open', to_status = 'waiting' where organization_id = $1`,
    `update contracts set end_date = '2999-12-31' where organization_id = $1`,
    `update tickets set first_response_warned = true, resolution_breached = true where organization_id = $1`,
    // The deadlines of tickets are mailed to staff.
    `update users set roles = '{customer,administrator}' where id = (
       select user_id from collaborators where organization_id = $1 and role = 'owner')`,
    `update collaborators set parent_user_id = user_id, invite_status = 'accepted', expired_at = '2999-12-31',
            end_warned_for = '2999-12-31' where organization_id = $1`,
  ])
    await app.database.query(statement, [acme.id])
  for (const table of ['entitlements', 'licenses', 'api_keys'])
    await app.database.query(`update ${table} set expires_at = $2, expiry_warned_for = $2 where organization_id = $1`, [
      acme.id,
      soon,
    ])
  const idIn = async (table: string) =>
    (await app.database.query<{ id: number }>(`select id from ${table} where organization_id = $1`, [acme.id]))[0]
      ?.id ?? 0
  await app.database.query(
    `update entitlements set suspends_at = $3, suspends_reason = 'Unpaid',
            status = case id when $1 then 'suspended' else 'active' end,
            status_reason_code = case id when $1 then 'payment_overdue' else 'payment_settled' end
      where id in ($1, $2)`,
    [suspended, resumed, app.clock.now],
  )
  return {
    ...records,
    suspended,
    resumed,
    comments: await idIn('ticket_comments'),
    moves: await idIn('ticket_history'),
    ratings: await idIn('ticket_ratings'),
  }
}

const withoutToken = (link: string): string => link.replace(/^http:\/\/[^/]+\/invoices\/\d+\.\d+\.[\w-]{43}$/, PAY_PAGE)

/** The console's part of a page's path, after the organization. */
const placeInConsole = (page: string): string =>
  page
    .replace(/^\/offers\/(\d+).*$/, '/quotes/$1')
    .replace('/quotes/requests/', '/quote-requests/')
    .replace('/webhook-endpoints/', '/webhooks/')
    .replace(/^\/auth\/api-keys\/\d+$/, '/keys')
    .replace(/^\/team$/, '/people')

type OfEvent = { mail: string; links: string[]; page: string; inConsole: string; text: string }
type Seller = { company: Company; country: string }

/** Tax invoices are of the legal entity in Brazil alone. */
async function sellAs(app: TestApp, { id }: Organization, company: Company): Promise<void> {
  const tables = await app.database.query<{ name: string }>(
    `select c.table_name as name from information_schema.columns c
       join information_schema.columns o using (table_schema, table_name)
       join information_schema.tables t using (table_schema, table_name)
      where c.column_name = 'company' and o.column_name = 'organization_id' and t.table_type = 'BASE TABLE'
        and t.table_name !~ '^tax_'`,
  )
  for (const { name } of tables)
    await app.database.query(`update ${name} set company = $2 where organization_id = $1`, [id, company])
}

/** The mail of each event, with its links. */
async function mailsOf(
  environment: Record<string, string>,
  { company, country }: Seller = { company: 'entity_br', country: 'BR' },
): Promise<OfEvent[]> {
  const app = await startApp({ environment })
  try {
    const acme = await app.world.organization({ country })
    const records = await recordsWithNews(app, acme)
    await sellAs(app, acme, company)
    const found: OfEvent[] = []
    for (const [mail, [about, page]] of Object.entries(PAGES)) {
      const resource_id = Number(records[about])
      await enqueueMail(app, acme.id, { mail, resource_id, user_id: acme.owner.userId })
      const [newest, ...before] = await mailsTo(app, acme.owner.email)
      expect(before, mail).toHaveLength(found.length)
      // The one in the footer, which switches the kind off, is no button.
      const text = newest?.text ?? ''
      const links = [...text.matchAll(/https?:\S+/g)].flatMap(([link]) =>
        link.includes('/unsubscribe/') ? [] : [link],
      )
      const ofRecord = page.replaceAll(/\{([\w-]+)\}/g, (_, name: string) => String(records[name]))
      const inConsole = `/o/${acme.id}${placeInConsole(ofRecord)}`
      found.push({ mail, text, links, page: ofRecord, inConsole })
    }
    expect(await deadLetters(app)).toEqual([])
    return found
  } finally {
    await app.close()
  }
}

describe('the button of a mail', () => {
  it('has a page in this test for each announcement of an event', () => {
    const mails = announcements.filter(({ event }) => event !== null).map(({ mail }) => mail)
    expect(Object.keys(PAGES).toSorted()).toEqual(mails.toSorted())
  })
  it('leads to the page of the record in the portal', async () => {
    const portal = {
      PORTAL_URL: 'https://portal.example.com/app/',
      PORTAL_PATHS: 'quote=/offers/{id}?org={organization_id},collaborator=/team',
    }
    for (const { mail, links, page } of await mailsOf(portal))
      expect(links.map(withoutToken), mail).toEqual([
        page === PAY_PAGE ? page : `https://portal.example.com/app${page}`,
      ])
  })
  it('leads into the console without PORTAL_URL', async () => {
    for (const { mail, links, page, inConsole } of await mailsOf({ PUBLIC_URL: 'http://127.0.0.1:3000' }))
      expect(links.map(withoutToken), mail).toEqual([
        page === PAY_PAGE ? page : `http://127.0.0.1:3000/app${inConsole}`,
      ])
  })
})

describe('the times in the mail of an event', () => {
  it.each([
    ['entity_br', 'US', 'GMT+8'],
    ['entity_global', 'US', 'GMT+9'],
  ] as const)('are told in the zone of %s, whose records they are about', async (company, country, zone) => {
    const zones = { ENTITY_BR_TIME_ZONE: 'Asia/Singapore', ENTITY_GLOBAL_TIME_ZONE: 'Asia/Tokyo' }
    const told = (await mailsOf(zones, { company, country })).flatMap(({ mail, text }) =>
      [...text.matchAll(/\d\s[AP]M (\S+?)[.,]?(?=\s|$)/g)].map(([, zoned]) => `${mail} ${zoned}`),
    )
    expect(told.length).toBeGreaterThan(10)
    const ofOrganization = new Set(OF_THE_ORGANIZATION.map((mail) => `${mail} GMT+9`))
    expect(told.filter((one) => !ofOrganization.has(one) && !one.endsWith(` ${zone}`))).toEqual([])
  })
})

/** About records that no legal entity has sold: their times are those of the organization. */
const OF_THE_ORGANIZATION = [
  'webhook-endpoint-disabled',
  'ticket-sla-warning',
  'ticket-sla-breached',
  'api-key-expiring',
  'membership-expiring',
]
