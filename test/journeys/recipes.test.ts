// Runs the recipes of docs/recipes beside a service that listens, and looks over HTTP at what each has caused.
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { globSync } from 'node:fs'
import { mkdir, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cloneDatabase, type TestDatabase } from '#test/harness/database.ts'
import { NO_LIMITS } from '#test/harness/app.ts'
import { ALL_SYSTEMS } from '#test/harness/other-systems.ts'
import { blocksIn, hasShell, programsFor, type Programs, readPage, runInShell } from '#test/harness/page-code.ts'
import { processOf, type Running } from '#test/harness/process.ts'
import { until } from '#test/harness/until.ts'

const FOLDER = 'docs/recipes'
const MOST_WORDS = 700
const PASSWORD = 'demo-titular-2026'
const OWNER = 'ana@padaria.example'
const STAFF = 'staff@titular.example'

// oxlint-disable-next-line typescript/no-explicit-any -- whatever is answered
type Data = any
type RequestParts = { method?: string; body?: object; organization?: number }

const recipes = globSync('*.md', { cwd: join(import.meta.dirname, '../..', FOLDER) })
  .map((file) => basename(file, '.md'))
  .filter((name) => name !== 'README')
  .toSorted()
const pages = new Map<string, string>()
/** Blocks that a test below has run. */
const done = new Set<string>()

let database: TestDatabase
let service: Running
let programs: Programs
beforeAll(async () => {
  database = await cloneDatabase()
  const demo = { DEMO: '1', SANDBOX: '1', ...ALL_SYSTEMS, ...NO_LIMITS }
  service = await processOf({ DATABASE_URL: database.url, ...demo })
  await service.start()
  programs = await programsFor(service.url)
  for (const name of recipes) {
    pages.set(name, await readPage(`${FOLDER}/${name}.md`))
    await programs.write(name, blocksOf(name, 'ts'))
    await mkdir(directoryOf(name))
  }
})
afterAll(async () => {
  await programs.remove()
  await service.remove()
  await database.drop()
})

const pageOf = (name: string): string => pages.get(name) ?? ''
const directoryOf = (name: string): string => join(service.dataDir, `recipe-${name}`)
const blocksOf = (name: string, language: string): string[] =>
  blocksIn(pageOf(name)).flatMap((block) => (block.language === language ? [block.text] : []))
const linesOf = (text: string): string[] => text.trimEnd().split('\n')

/** The lines that the blocks of TypeScript print, as one program. */
async function program(name: string): Promise<string[]> {
  const { stdout, stderr } = await programs.run(name, directoryOf(name))
  expect(stderr).toBe('')
  for (const block of blocksOf(name, 'ts')) done.add(block)
  return linesOf(stdout)
}

async function shell(name: string): Promise<string[]> {
  const [block = ''] = blocksOf(name, 'sh')
  const { stdout, stderr } = await runInShell(block, service.url, directoryOf(name))
  expect(stderr).toBe('')
  done.add(block)
  return linesOf(stdout)
}

const tokens = new Map<string, string>()
async function as(
  email: string,
  path: string,
  { method = 'GET', body, organization = 1 }: RequestParts = {},
): Promise<Data> {
  const token = tokens.get(email)
  const response = await fetch(`${service.url}/api/v1${path}`, {
    method,
    headers: {
      ...(token && { authorization: `Bearer ${token}`, 'x-service-organization': String(organization) }),
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  })
  const { data, message }: Data = await response.json()
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${message}`)
  return data
}
const ana = (path: string, parts?: RequestParts): Promise<Data> => signedIn(OWNER).then(() => as(OWNER, path, parts))
const staff = (path: string, parts?: RequestParts): Promise<Data> => signedIn(STAFF).then(() => as(STAFF, path, parts))
async function signedIn(email: string): Promise<void> {
  if (tokens.has(email)) return
  const { access_token } = await as(email, '/auth/login', { method: 'POST', body: { email, password: PASSWORD } })
  tokens.set(email, access_token)
}

const mailbox = async (): Promise<string> => (await fetch(`${service.url}/mail`)).text()
const bodies = (comments: Data[]) => comments.map(({ body }) => body)

describe('the recipes', () => {
  it('compile', async () => {
    expect(await programs.compile()).toBe('compiles')
  })
  it('are in the index, with all operations that they use and that there are', async () => {
    const index = await readPage(`${FOLDER}/README.md`)
    const rows = [...index.matchAll(/^\| \[(.+)\]\((.+)\.md\) \| (.+) \|$/gm)]
    expect(new Set(rows.map(([, , name]) => name))).toEqual(new Set(recipes))
    expect(rows.length).toBe(12)
    const ids = new Set((await readPage('openapi.json')).match(/(?<="operationId": ")\w+/g))
    for (const [, title = '', name = '', cell = ''] of rows) {
      const page = pageOf(name)
      expect(page).toMatch(new RegExp(`^# ${title}\n\n.+`))
      const named = [...cell.matchAll(/`(\w+)`/g)].map(([, id = '']) => id)
      expect(named.filter((id) => !ids.has(id) || !page.includes(id))).toEqual([])
      const imported = [...page.matchAll(/^import \{ (.+) \} from '@titular\/sdk'$/gm)].flatMap(([, names = '']) =>
        names.split(', '),
      )
      expect(imported.filter((id) => ids.has(id) && !named.includes(id))).toEqual([])
      // The blocks of a page are pasted one behind the other.
      expect(new Set(imported).size, name).toBe(imported.length)
    }
  })
  it('say what they need and where the reference is, on less than a page', () => {
    for (const name of recipes) {
      const page = pageOf(name)
      expect(page).toMatch(/^\*\*Needs\*\* /m)
      expect(page).toMatch(/^\*\*Reference\*\*: /m)
      expect(page.split(/\s+/).length, name).toBeLessThan(MOST_WORDS)
    }
  })
})

describe.skipIf(!hasShell)('a recipe', () => {
  it('signs in, says who it is, and signs out', async () => {
    const sessions = async (): Promise<number> => (await ana('/auth/sessions?per_page=100')).length
    const before = await sessions()
    const me = await ana('/auth/me')
    expect(await program('sign-in')).toEqual([
      'Ana Souza <ana@padaria.example>, ACTIVE',
      `1 Padaria São João: owner, ${me.organizations[0].scopes.join(' ')}`,
      'after the sign-out: 401',
      'AUTHENTICATION_ERROR',
    ])
    expect(await sessions()).toBe(before)
    const [answer = ''] = await shell('sign-in')
    expect(JSON.parse(answer).data).toEqual(me)
    expect(await sessions()).toBe(before + 1)
  })
  it('invites a colleague, who comes in by the mail', async () => {
    expect(await program('invite-a-colleague')).toEqual([
      expect.stringMatching(/^pending, pending, until \d{4}-.+Z$/),
      'Padaria São João: member, true',
      'active member, account ACTIVE: tickets documents entitlements',
    ])
    const members = await ana('/organizations/1/collaborators?per_page=100')
    const [helena] = members.filter(({ email }: Data) => email.startsWith('helena-'))
    expect(helena).toMatchObject({ name: 'Helena Dias', role: 'member', status: 'active', invite_status: 'accepted' })
    const flags = Object.entries(helena).filter(([name, value]) => name.startsWith('can_manage_') && value === true)
    expect(flags.map(([name]) => name).toSorted()).toEqual(['can_manage_documents', 'can_manage_tickets'])
  })
  it('shows what needs action', async () => {
    const lines = await program('what-needs-action')
    const quotes = await ana('/quotes?status=sent,viewed')
    expect(lines).toContain(`Quotes to accept: ${quotes.length}`)
    for (const { id, number, valid_until } of quotes)
      expect(lines).toContain(`  /quotes/${id} ${number}, until ${valid_until}`)
    const { actions } = await ana('/me/actions')
    const labels = actions.flatMap(({ items }: Data) => items.map(({ label }: Data) => label))
    expect(lines.filter((line) => line.startsWith('  ')).length).toBe(labels.length)
    expect(labels.filter((label: string) => !lines.some((line) => line.includes(` ${label}`)))).toEqual([])
  })
  it('accepts and pays a quote, whose entitlements are there', async () => {
    const [offered] = await ana('/quotes?status=sent,viewed&per_page=1')
    const lines = await program('accept-and-pay-a-quote')
    const quote = await ana(`/quotes/${offered.id}`)
    expect(quote).toMatchObject({ status: 'fulfilled', purchase_order: 'PO-2026-0042' })
    expect(quote.entitlement_ids.length).toBe(quote.line_items.length)
    const bought = await Promise.all(quote.entitlement_ids.map((id: number) => ana(`/entitlements/${id}`)))
    expect(lines).toEqual([
      `${quote.number}: ${quote.total} BRL, until ${quote.valid_until}`,
      ...quote.line_items.map((line: Data) => `  ${line.quantity} × ${line.product_name} ${line.unit_price}`),
      `accepted: order ${quote.order_id}`,
      'a second time: 409 status_not_allowed',
      `unpaid: ${quote.total} BRL`,
      ...bought.map(({ code, product_name }) => `${code} ${product_name}: active`),
    ])
    expect(await ana(`/orders/${quote.order_id}`)).toMatchObject({ status: 'completed', total: quote.total })
    expect(await ana(`/invoices/order/${quote.order_id}`)).toMatchObject([{ status: 'paid', amount_paid: quote.total }])
  })
  it('checks a license, with and without a connection', async () => {
    const lines = await program('license-check')
    const [license] = await ana('/licenses?status=active&per_page=1')
    expect(license.activated_domains).toContain('shop.padaria.example')
    expect(lines).toEqual([
      `shop.padaria.example: ${license.activations_count} of ${license.activations_limit}`,
      `elsewhere.example: false not_activated ${license.product_name} ${license.expires_at}`,
      'false',
      `www.shop.padaria.example: true activated ${license.product_name} ${license.expires_at}`,
      'true',
      'without a connection: true',
    ])
    const [answer = ''] = await shell('license-check')
    expect(JSON.parse(answer).data).toMatchObject({ valid: false, reason: 'unknown_key' })
  })
  it('opens a ticket with a file, talks and closes it', async () => {
    const lines = await program('tickets')
    const [ticket] = await ana('/tickets?per_page=1')
    expect(lines[0]).toBe(`${ticket.number}: open, answer until ${ticket.first_response_due_at ?? '–'}`)
    expect(ticket).toMatchObject({ title: 'The campus is slow', priority: 'high', status: 'closed' })
    const sha256 = createHash('sha256').update('12:00:01 504 /course/7\n').digest('hex')
    expect(await ana(`/tickets/${ticket.id}/attachments`)).toMatchObject([{ name: 'access.log', size: 23, sha256 }])
    const open = ['It was a full disk; there is room again.', 'It is slow again.']
    expect(bodies(await ana(`/tickets/${ticket.id}/comments`))).toEqual(open)
    expect(bodies(await staff(`/tickets/${ticket.id}/comments`))).toEqual(open.toSpliced(1, 0, 'Disk of node 4.'))
    expect(lines.slice(1)).toEqual([
      'access.log: 23 bytes, text/plain; charset=utf-8',
      '12:00:01 504 /course/7',
      'Sofia Prado (support): It was a full disk; there is room again.',
      'open',
      '– → open: Ana Souza',
      'open → resolved: Sofia Prado',
      'resolved → open: Ana Souza',
      'open → closed: Ana Souza',
    ])
  })
  it('imports customers, and invites their people', async () => {
    expect(await program('import-customers')).toEqual([
      'organizations, tried: completed, 2 rows { created: 1, unchanged: 0, differs: 0, refused: 1 }',
      `  line 3 (C-1002): { cnpj: 'must be a CNPJ with the right check digits' }`,
      'organizations: completed, 2 rows { created: 2, unchanged: 0, differs: 0, refused: 0 }',
      'members: completed, 2 rows { created: 2, unchanged: 0, differs: 0, refused: 0 }',
      'organizations: completed, 2 rows { created: 0, unchanged: 2, differs: 0, refused: 0 }',
      '2 people have their invite',
    ])
    const [oficina] = await staff('/admin/organizations?search=Oficina')
    expect(oficina).toMatchObject({ name: 'Oficina do Zé', cnpj: null })
    const [mercado] = await staff('/admin/organizations?search=Mercado%20Central')
    expect(mercado).toMatchObject({ legal_name: 'Mercado Central Ltda.', cnpj: '45723174000110' })
    const people = await staff(`/organizations/${mercado.id}/collaborators`, { organization: mercado.id })
    expect(people.length).toBe(2)
    expect(people).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ email: 'rita@mercado.example', invited_role: 'owner', status: 'invited' }),
        expect.objectContaining({
          email: 'joao@mercado.example',
          invited_role: 'member',
          can_manage_quotes: true,
          can_manage_finances: false,
        }),
      ]),
    )
    for (const { email } of people) await until(mailbox, (text) => text.includes(email))
  })
  it('issues an NFS-e, has another take its place, and cancels that', async () => {
    const lines = await program('issue-and-correct-an-nfs-e')
    const [right, wrong] = await ana('/tax-invoices?per_page=2')
    const [first, second] = await Promise.all([wrong, right].map(({ id }) => ana(`/tax-invoices/${id}`)))
    expect(first).toMatchObject({ status: 'cancelled', substatus: 'substituted', replaced_by_id: second.id })
    expect(second).toMatchObject({ status: 'cancelled', replaces_id: first.id, cancel_reason_code: '2' })
    expect([first.description, second.description]).toEqual(['Treinamento de maio', 'Treinamento de junho'])
    const invoice = await ana(`/invoices/${first.invoice_id}`)
    expect(invoice).toMatchObject({ status: 'open', total: '900.00', company: 'entity_br' })
    expect(lines).toEqual([
      `${invoice.number}: 900.00 BRL`,
      `issued ${first.nfse_number}: 900.00, ISS ${first.iss_amount}, 50 digits`,
      `issued ${second.nfse_number}: Treinamento de junho`,
      'cancelled (substituted), replaced by true',
      expect.stringMatching(/\.xml: true$/),
      `cancelled on ${second.cancelled_at.slice(0, 10)}, reason 2`,
    ])
  })
  it('receives webhooks of the service, each once', async () => {
    const lines = await program('webhook-receiver')
    expect(lines.toSorted()).toEqual([
      'attempts: 2, the same id: true',
      'document.created: delivered, answered 204',
      'forged: 400',
      'seen before, nothing to do',
      'to archive: backup-plan.txt',
    ])
    const [endpoint] = await ana('/webhook-endpoints?per_page=1')
    expect(endpoint).toMatchObject({ status: 'paused', events: ['document.created'] })
    const [delivery] = await ana(`/webhook-endpoints/${endpoint.id}/deliveries`)
    const { attempts, webhook_id, request_body } = await ana(
      `/webhook-endpoints/${endpoint.id}/deliveries/${delivery.id}`,
    )
    expect(attempts.map(({ status }: Data) => status)).toEqual([204, 204])
    expect(await readFile(join(directoryOf('webhook-receiver'), 'webhooks-seen.txt'), 'utf8')).toBe(`${webhook_id}\n`)
    const event = JSON.parse(request_body)
    expect(await ana(`/documents/${event.resource_id}`)).toMatchObject({
      name: 'backup-plan.txt',
      category: 'technical',
    })
    expect(event).toMatchObject({ type: 'document.created', data: { name: 'backup-plan.txt' } })
  })
  it('makes a key, rotates it and takes it back', async () => {
    expect(await program('api-keys')).toEqual([
      'true',
      'Scope not authorized: entitlements (scope_missing)',
      'true true',
      'true',
      '401 AUTHENTICATION_ERROR 401 AUTHENTICATION_ERROR works',
      expect.stringMatching(/^Bookkeeping ….{4}: finances$/),
      '401 AUTHENTICATION_ERROR',
    ])
    const [invoices = '', orders = '', refused] = await shell('api-keys')
    const [invoice] = await ana('/invoices?per_page=1&fields=number,total')
    const [order] = await ana('/orders?per_page=1&fields=number,status')
    expect([JSON.parse(invoices).data, JSON.parse(orders).data]).toEqual([[invoice], [order]])
    expect(refused).toBe('invoices, which this token leaves out: 403')
    const keys = await ana('/auth/api-keys?per_page=100')
    const ofName = (name: string) => keys.filter((key: Data) => key.name === name)
    expect(ofName('Bookkeeping').filter(({ revoked_at }: Data) => revoked_at === null)).toEqual([])
    expect(ofName('Nightly report')).toMatchObject([{ permission: 'read', scopes: ['finances', 'orders'] }])
    const log = await ana('/audit-log?resource=api_key&per_page=100')
    expect(log.filter(({ action }: Data) => /rotat/.test(action)).length).toBe(2)
  })
  it('lets a year pass for an organization', async () => {
    expect(await program('test-clock')).toEqual([
      'ready at 2027-01-01T12:00:00.000Z',
      '2027-01-31T23:00:00.000Z: active, allowed true (active)',
      '2027-02-02T00:00:00.000Z: expired, allowed false (expired)',
      '2027-12-31T00:00:00.000Z: active, allowed true (active)',
      '2027-01-01T12:00:00.000Z entitlement.created',
      ...['02', '25', '31'].map((day) => `2027-01-${day}T00:00:00.000Z entitlement.expiring`),
      '2027-02-01T00:00:00.000Z entitlement.expired',
      '2027-02-02T00:00:00.000Z entitlement.renewed',
    ])
    const [{ id }] = await staff('/admin/organizations?search=Futuro')
    expect(await staff(`/admin/organizations/${id}/test-clock`)).toMatchObject({ now: '2027-12-31T00:00:00.000Z' })
    const [entitlement] = await staff('/entitlements', { organization: id })
    expect(entitlement).toMatchObject({ status: 'active', expires_at: '2028-02-01T00:00:00.000Z' })
    expect((await ana('/organizations/1')).has_test_clock).toBe(false)
  })
})

const MIRROR = 'mirror-into-an-erp'
const LISTS = { quote: 'quotes', order: 'orders', invoice: 'invoices' }
/** What the mirror has. */
const mirrored = async (): Promise<Data> =>
  JSON.parse(await readFile(join(directoryOf(MIRROR), 'mirror.json'), 'utf8').catch(() => '{"copies":{}}'))
const theirs = async (): Promise<Record<string, string>> =>
  Object.fromEntries(
    Object.entries((await mirrored()).copies).map(([key, { number, status, total }]: Data) => [
      key,
      `${number} ${status} ${total}`,
    ]),
  )
const ours = async (): Promise<Record<string, string>> => {
  const lists = Object.entries(LISTS).map(async ([kind, list]) =>
    (await ana(`/${list}?per_page=100`)).map(({ id, number, status, total }: Data) => [
      `${kind} ${id}`,
      `${number} ${status} ${total}`,
    ]),
  )
  return Object.fromEntries((await Promise.all(lists)).flat())
}
const isSame = async (): Promise<boolean> => {
  const [here, there] = [Object.entries(await theirs()), await ours()]
  return here.length === Object.keys(there).length && here.every(([key, copy]) => there[key] === copy)
}
const invoiced = (unit_price: string): Promise<Data> =>
  staff('/invoices', {
    method: 'POST',
    body: { status: 'open', currency: 'BRL', line_items: [{ product_name: 'Course', quantity: 1, unit_price }] },
  })
const voided = (id: number) => staff(`/invoices/${id}/void`, { method: 'POST', body: {} })

describe('the recipe of the mirror', () => {
  it('copies all, then what happens; goes on after a stop, and after an absence that was too long', async () => {
    const key = await ana('/auth/api-keys', {
      method: 'POST',
      body: { name: 'ERP', permission: 'read', scopes: ['organization', 'quotes', 'orders', 'finances'] },
    })
    const env = { TITULAR_KEY: key.consumer_key, TITULAR_SECRET: key.consumer_secret }
    /** Runs it while something happens, until it has all of it; what it says. */
    const whileItRuns = async (act: () => Promise<unknown>): Promise<string[]> => {
      const child = programs.start(MIRROR, directoryOf(MIRROR), env)
      let output = ''
      for (const stream of [child.stdout, child.stderr])
        stream?.on('data', (chunk: Buffer) => (output += String(chunk)))
      const hasEnded = () => child.exitCode !== null && expect.unreachable(output)
      await until(
        async () => hasEnded() || output.includes('cursor'),
        Boolean,
        () => output,
      )
      await act()
      await until(
        async () => hasEnded() || (await isSame()),
        Boolean,
        () => output,
      )
      const exited = once(child, 'exit')
      child.kill('SIGINT')
      expect(await exited, output).toEqual([0, null])
      return linesOf(output)
    }
    const first = await whileItRuns(() => invoiced('310.00').then(({ id }) => voided(id)))
    expect(first[0]).toMatch(/^[1-9]\d* copies, cursor [1-9]\d*$/)
    const before = await mirrored()
    expect(Object.values(before.copies)).toContainEqual(expect.objectContaining({ status: 'void', total: '310.00' }))

    // While it is away.
    const missed = await invoiced('311.00')
    const again = await whileItRuns(() => voided(missed.id))
    expect(again[0]).toBe(`${Object.keys(before.copies).length} copies, cursor ${before.cursor}`)
    expect((await mirrored()).copies[`invoice ${missed.id}`]).toMatchObject({ status: 'void', total: '311.00' })

    const late = await mirrored()
    await invoiced('312.00').then(({ id }) => voided(id))
    const { id } = await invoiced('313.00')
    const [{ next }] = await database.query<Data>(
      `with gone as (delete from events where organization_id = 1 and sequence <= $1 + 2 returning sequence)
       select max(sequence) + 1 as next from gone`,
      [late.cursor],
    )
    const third = await whileItRuns(() => voided(id))
    expect(third.slice(0, 2)).toEqual([
      expect.stringContaining(`cursor ${late.cursor}`),
      `gone: the feed begins at ${next}`,
    ])
    for (const block of blocksOf(MIRROR, 'ts')) done.add(block)
  })
})

describe.skipIf(!hasShell)('the blocks of the recipes', () => {
  it('have all been run', () => {
    const left = recipes.flatMap((name) =>
      blocksIn(pageOf(name))
        .filter(({ text }) => !done.has(text))
        .map(({ text }) => `${name}: ${text.slice(0, 80)}`),
    )
    expect(left, left.join('\n')).toEqual([])
  })
})
