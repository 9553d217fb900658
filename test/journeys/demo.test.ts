// The demo and the OpenAPI document: the record that each GET has as its example exists.
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { routes } from '../../src/modules.ts'
import { createConsole } from '../../src/commands/console.ts'
import { createCatalogue } from '../../src/demo/catalogue.ts'
import { demoCommand } from '../../src/commands/demo.ts'
import { DEMO_SIGN_INS, DEMO_STAFF } from '../../src/demo/sign-ins.ts'
import { readConfig } from '#config/config.ts'
import { startApp, type TestApp } from '#test/harness/app.ts'
import { loadDemo } from '../../src/demo/load-demo.ts'
import { startDemo } from '#test/scenes/demo.ts'

type Example = string | number
type Parameter = {
  $ref?: string
  name: string
  in: string
  required?: boolean
  example?: Example
  schema: { examples?: Example[] }
}
type Operation = {
  parameters?: Parameter[]
  requestBody?: { content: { 'application/json': { example?: object } } }
}
type Document = {
  paths: Record<string, Record<string, Operation>>
  components: { parameters: Record<string, Parameter> }
}

/** Records that the demo does not have, among them what has its secret or its file shown once, and rates of the example's month. */
const NOT_THERE = [
  '/auth/api-keys/{id}',
  '/auth/passkeys/{id}',
  '/privacy/exports/{id}',
  '/privacy/organization-exports/{id}',
  '/audit-log/sealed-exports/{id}',
  '/services/{id}/milestones/{milestone_id}',
  '/environments/{id}/maintenance-windows/{window_id}',
  '/tickets/{id}/attachments/{attachment_id}/content',
  '/tickets/{id}/satisfaction',
  '/orders/{id}/subscription',
  '/admin/organizations/{id}/test-clock',
  '/admin/price-indexes/{price_index}/rates/{month}',
  '/admin/webhook-endpoints/{id}',
  '/admin/webhook-endpoints/{id}/deliveries',
  '/admin/webhook-endpoints/{id}/deliveries/{delivery_id}',
]

let app: TestApp
let document: Document
let headers: Record<string, string>
beforeAll(async () => {
  app = await startDemo()
  document = JSON.parse((await app.service.app.inject({ url: '/openapi.json' })).body) as Document
  const signedIn = await app.world.anonymous.post('/auth/login', {
    email: DEMO_STAFF[0].email,
    password: DEMO_SIGN_INS.password,
  })
  const { access_token: token } = signedIn.data as { access_token: string }
  headers = { authorization: `Bearer ${token}`, 'x-service-organization': '1' }
})
afterAll(() => app.close())

const get = (path: string) => app.service.app.inject({ url: `/api/v1${path}`, headers })

const data = async (path: string) => (await get(path)).json<{ data: Record<string, unknown> }>().data

/** What somebody agreed to or withdrew, in the order of it. */
const agreed = async (email: string) => {
  const { data: tokens } = await app.world.anonymous.post('/auth/login', {
    email,
    password: DEMO_SIGN_INS.password,
  })
  const listed = await app.world.anonymous.get('/privacy/consents', {
    authorization: `Bearer ${tokens.access_token}`,
  })
  type Listed = { purpose: string; is_given: boolean; source: string }
  return (listed.data as Listed[]).toReversed().map(({ purpose, is_given, source }) => [purpose, is_given, source])
}

/** The URL that "try it" requests, with all examples filled in. */
async function addressOf(path: string): Promise<string> {
  const parameters = document.paths[path]?.['get']?.parameters ?? []
  const shared = document.components.parameters
  const all = parameters.map((one) => shared[one.$ref?.split('/').at(-1) ?? ''] ?? one)
  const values = all.map((one) => ({ ...one, value: String(one.example ?? one.schema.examples?.[0] ?? '') }))
  // The example of a code is of one fixed month, so a real code is used.
  const [first] = (await get('/entitlements?class=PLG&per_page=100'))
    .json<{ data: { code: string }[] }>()
    .data.toReversed()
  const filled = values
    .filter((one) => one.in === 'path')
    .reduce((text, { name, value }) => text.replace(`{${name}}`, name === 'code' ? (first?.code ?? '') : value), path)
  const query = values.filter((one) => one.in === 'query' && one.required)
  return filled + (query.length > 0 ? `?${query.map(({ name, value }) => `${name}=${value}`).join('&')}` : '')
}

describe('the demo', () => {
  it('has a record for the example of every GET of one record', async () => {
    const paths = routes
      .filter(({ method, path, access }) => method === 'GET' && path.includes('{') && access.kind !== 'open')
      .map(({ path }) => path)
    expect(paths.length).toBeGreaterThan(40)
    const answers: string[] = []
    // One after the other, since only a few documents are rendered at a time.
    for (const path of paths) answers.push(`${path}: ${(await get(await addressOf(path))).statusCode}`)
    const without = answers.filter((answer) => !answer.endsWith(': 200'))
    expect(without.toSorted()).toEqual(NOT_THERE.map((path) => `${path}: 404`).toSorted())
  })
  it('accepts the example of every body that creates a record', async () => {
    const answers: string[] = []
    for (const path of [
      '/tickets',
      '/environments',
      '/services',
      '/licenses',
      '/contracts',
      '/invoices',
      '/quotes',
      '/downloads',
    ]) {
      const payload = document.paths[path]?.['post']?.requestBody?.content['application/json'].example
      const answer = await app.service.app.inject({
        method: 'POST',
        url: `/api/v1${path}`,
        headers,
        payload: payload ?? {},
      })
      if (answer.statusCode !== 201) answers.push(`${path}: ${answer.body}`)
    }
    expect(answers).toEqual([])
  })
  it('has a refund with its credit note, a ticket with a comment, an active contract, an affiliate and a site', async () => {
    expect(await data('/refunds/1')).toMatchObject({ status: 'succeeded', amount: '39.90' })
    expect(await data('/credit-notes/1')).toMatchObject({ invoice_id: 1 })
    expect(await data('/tickets/1/comments')).toHaveLength(1)
    expect(await data('/contracts/1')).toMatchObject({ status: 'active' })
    expect(await data('/affiliates/1')).toMatchObject({ status: 'active' })
    expect(await data('/orders/1')).toMatchObject({ status: 'completed' })
    expect(await data('/licenses/1')).toMatchObject({ status: 'active' })
    expect(await data('/sites/1')).toMatchObject({ license_ids: [1], version: '4.2.0' })
    expect(await data('/downloads/1')).toMatchObject({
      status: 'published',
      entitlement_ids: expect.arrayContaining([2]),
    })
  })
  it('has an issue in the sandbox’s tracker, with the comment of the ticket', async () => {
    const issue = await data('/tickets/1/issue')
    expect(issue).toMatchObject({ tracker: 'github-sandbox', sync_state: 'in_sync', status: 'open' })
    expect(await (await fetch(String(issue['url']))).text()).toContain('It was a full disk; there is room again.')
  })
  it('has companies and deals in the sandbox’s CRM, and what a salesperson has otherwise there', async () => {
    const deals = (await get('/admin/crm/deals?per_page=100')).json<{ data: Record<string, unknown>[] }>().data
    expect(deals.length).toBeGreaterThan(8)
    const { data: offered } = (await get('/admin/crm/proposals')).json<{ data: Record<string, unknown>[] }>()
    expect(offered).toMatchObject([{ field: 'city', proposed_value: 'Campinas', status: 'open' }])
  })
  it('has copies of its orders in the sandbox’s shop, and one that was made there', async () => {
    const listed = (await get('/admin/commerce/orders?per_page=100')).json<{ data: Record<string, unknown>[] }>().data
    expect(listed.length).toBeGreaterThan(5)
    expect(listed.filter(({ problem }) => problem !== null)).toEqual([])
    expect(listed.filter(({ is_imported }) => is_imported)).toMatchObject([
      { platform: 'woocommerce-sandbox', status: 'completed', platform_status: 'completed' },
    ])
  })
  it('has what its people agreed to, and one who has withdrawn it', async () => {
    const texts = [
      ['terms_of_use', true, 'registration'],
      ['privacy_notice', true, 'registration'],
    ]
    const news = ['product_news', true, 'registration']
    expect(await agreed('ana@padaria.example')).toEqual([...texts, news])
    expect(await agreed('bruno@padaria.example')).toEqual([...texts, news, ['product_news', false, 'portal']])
    expect(await agreed('carla@padaria.example')).toEqual(texts)
  })
})

it.each<Record<string, string>>([
  { REFUNDS: 'approve' },
  { ENTITY_BR_TAX_AUTHORITY: 'none' },
  { ENTITY_BR_PAYMENTS: 'offline', ENTITY_GLOBAL_PAYMENTS: 'offline', REFUNDS: 'approve' },
])('is loaded whatever the settings are: %o', async (environment) => {
  const other = await startApp({ environment })
  try {
    expect(await loadDemo(other.service, readConfig(environment))).toHaveLength(12)
  } finally {
    await other.close()
  }
})

it('is left alone, and said to be a part, when a start ended while it was loaded', async () => {
  const cut = await startApp()
  onTestFinished(() => cut.close())
  await createCatalogue(cut.service)
  expect(await loadDemo(cut.service, readConfig({}))).toEqual([])
  expect(cut.log.filter((line) => line.includes('The demo is not whole'))).toHaveLength(1)
  expect(await loadDemo(app.service, readConfig({}))).toEqual([])
  expect(app.log.filter((line) => line.includes('The demo is not whole'))).toEqual([])
})

it('is refused by its command outside the sandbox', async () => {
  const config = { ...readConfig({}), sandbox: false }
  const console = createConsole('silent')
  await expect(demoCommand({ config, console })).rejects.toThrow('SANDBOX is off; the demo needs SANDBOX=1')
})
