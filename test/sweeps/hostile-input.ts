// No input causes a 5xx: hostile texts, extreme times and the largest numbers are sent
// in every field of every route's body and query, according to the schema of the route.
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isVisibleText } from '#kernel/values/text/visible-text.ts'
import { routes } from '../../src/modules.ts'
import type { Route } from '#http/route.ts'
import { startApp, type TestApp } from '#test/harness/app.ts'
import { multipart } from '#test/harness/multipart.ts'
import { type Field, fieldsOf, nameOf, withValue } from './body-fields.ts'
import { longest } from './hostile-strings.ts'
import { createRecords, type Records } from '#test/scenes/records.ts'
import { BODIES, STATES } from './hostile-scenes.ts'
import { key, send } from './sweep.ts'
import type { Answer, Organization, Speaker } from '#test/harness/world.ts'

/** The texts for all fields at once, and for a field by itself how many of its values. */
export type Inputs = { texts: readonly (string | null)[]; most: number }

let app: TestApp
let acme: Organization
let records: Records = {}
/** They are in the states that one route needs. */
let isChanged = false
/** Of the PDF of the quote as its public link shows it. */
let documentHash: string | null

async function open(): Promise<void> {
  // Never asked, since no jobs run here.
  const tracker = {
    ISSUE_TRACKER: 'redmine',
    ISSUE_TRACKER_URL: 'http://127.0.0.1:9',
    ISSUE_TRACKER_TOKEN: 'never-used',
    ISSUE_TRACKER_PROJECT: 'support',
  }
  app = await startApp({ environment: tracker })
}

const TIMES = ['0001-01-01T00:00:00.000Z', '9999-12-31T23:59:59.999Z', '2026-02-28T23:59:59.999+14:00']
const DATES = ['0001-01-01', '9999-12-31', '2028-02-29']
export const TEXTS = [
  '***',
  '´',
  '\u202e',
  'e\u0301👩‍👩‍👧‍👦',
  `'; drop table quotes; --`,
  '<%= 1 %>{{7*7}}<script>',
  '\\u0000%00',
]

/** The values for a single field. */
function valuesOf({ kind, minimum, maximum }: Field): unknown[] {
  if (kind === 'time') return TIMES
  if (kind === 'date') return DATES
  if (kind === 'number') return [minimum, maximum]
  return kind === 'formed' ? ['***', '´', '\u202e@x.y', ...longest(Math.min(maximum, 200)).slice(0, 2)] : []
}

/** Text fields that do not take any text, since they have a meaning. */
const MEANS_SOMETHING =
  /password|token|key|cnpj|documentnumber1|metadata|domain|entitlement_code|line_items|^mapping$|^sku$|^provider$|^allowed_ips|^external_id$|^challenge$|^(?:recovery|device|user)_code$|^credential\./

/** A passkey, and an identity provider, answer one request; the tests of auth and sso have such bodies. */
const SIGNED = ['POST /auth/passkeys', 'POST /auth/session/sso', 'POST /auth/login/sso']

const withBody = routes.filter(({ method, access, body }) => method !== 'GET' && access.kind !== 'signed' && body)

/** The bodies and queries of every route, and the jobs that they leave. */
export function sendHostileInput(inputs: Inputs): void {
  beforeAll(open)
  afterAll(() => app.close())
  describe('bodies', () => {
    bodies(inputs)
  })
  describe('queries', () => {
    queries(inputs)
  })
  describe('the jobs that follow', () => {
    jobsThatFollow()
  })
}

function bodies({ texts, most }: Inputs): void {
  it.each(withBody.map((route) => [key(route), route] as const))('%s', async (name, route) => {
    await stageFor(route)
    const fields = fieldsOf(route.body)
    const free = fields.filter((field) => field.kind === 'free' && !MEANS_SOMETHING.test(nameOf(field)))
    let never = await neverTaken(route, free, texts)
    if (never.length > 0) {
      // An earlier route may have ended the records.
      await stage(route)
      never = await neverTaken(route, free, texts)
    }
    for (const field of fields.filter(({ kind, path }) => kind !== 'free' || MEANS_SOMETHING.test(path.join('.'))))
      for (const value of (field.kind === 'free' ? TEXTS.slice(0, 3) : valuesOf(field)).slice(0, most))
        await tried(route, withValue(bodyOf(route), field.path, value))
    if (SIGNED.includes(name)) return
    const why = `${name} takes no such text: test/sweeps/hostile-scenes.ts has to give it a better scene`
    expect(never, why).toEqual([])
  })
}

/** The names of the fields that no request with a success had. */
async function neverTaken(route: Route, free: Field[], texts: Inputs['texts']): Promise<string[]> {
  const taken = new Set<string>()
  for (const [fields, base] of [
    [free.filter((one) => !isAlias(one)), (body: object) => body],
    [free.filter(isAlias), withoutName],
  ] as const)
    for (const text of fields.length === 0 ? [] : texts) {
      const filled = fields.reduce<unknown>(
        (body, field) => withValue(body, field.path, textFor(field, text)),
        base(bodyOf(route)),
      )
      const { status } = await tried(route, filled)
      if (status < 300) for (const field of fields) taken.add(nameOf(field))
    }
  return free.map(nameOf).filter((one) => !taken.has(one))
}

/** A body must not have both a name and its alias. */
const isAlias = (field: Field): boolean => nameOf(field).startsWith('org_')
const withoutName = (body: object): object =>
  Object.fromEntries(Object.entries(body).filter(([name]) => name !== 'name'))

let nextLong = 0
/** Null stands for one of the longest texts, another one each time. */
function textFor({ maximum, isName }: Field, text: string | null): string {
  const long = longest(maximum)
  const whole = text === null ? (long[nextLong++ % long.length] ?? '') : Array.from(text).slice(0, maximum).join('')
  return isName && !isVisibleText(whole) ? '?' : whole
}

/** Repeats with new records, since earlier requests may have ended the old ones. */
async function tried(route: Route, body: unknown): Promise<Answer> {
  let answer = await asked(route, body)
  if (answer.status === 409 || answer.status === 404) {
    await stage(route)
    answer = await asked(route, own(body))
  }
  const why =
    answer.status < 500
      ? ''
      : app.log
          .filter((line) => line.includes('"level":50'))
          .at(-1)
          ?.slice(0, 600)
  expect(answer.status, `${key(route)} ${JSON.stringify(body).slice(0, 300)} ${why}`).toBeLessThan(500)
  return answer
}

function asked(route: Route, body: unknown): Promise<Answer> {
  if (!route.features.upload) return send(speakerFor(route), route, pathOf(route), body, {})
  const texts = Object.entries(body ?? {}).map(([name, value]) => [name, String(value)])
  const { body: parts, headers } = multipart({ fileName: 'plan.txt', content: 'x' }, Object.fromEntries(texts))
  return send(speakerFor(route), route, pathOf(route), parts, headers)
}

const speakerFor = ({ access }: Route): Speaker =>
  access.kind === 'staff' || access.kind === 'vendor' ? acme.staff : acme.owner

const pathOf = ({ path }: Route): string =>
  path
    .replace('{token}', String(records['public']))
    .replaceAll(/([^/{]+)\/\{\w+\}/g, (_, segment: string) => `${segment}/${records[segment] ?? 999_999_999}`)

/** The records that are there, until something has ended one of them (`tried`). */
async function stageFor(route: Route): Promise<void> {
  if (!('quotes' in records) || key(route) in STATES || isChanged) await stage(route)
}

async function stage(route: Route): Promise<void> {
  isChanged = key(route) in STATES
  acme = await app.world.organization()
  records = await createRecords(app, acme)
  const product = await made(`products (sku, name, entitlement_class) values ($1, 'Backup', 'PLG')`, unique())
  records['products'] = product
  records['prices'] = await made(
    `prices (product_id, company, currency, unit_price) values ($1, 'entity_br', 'BRL', 1.00)`,
    product,
  )
  // One that cannot be read.
  records['inbound-events'] = await made(
    `provider_events (source, company, dedupe_key, type, body, error) values ('stripe', 'entity_br', $1, 'x', '', 'no JSON')`,
    unique(),
  )
  records['users'] = acme.owner.userId
  for (const statement of STATES[key(route)]?.split(';') ?? [])
    await app.database.query(`${statement} where organization_id = ${acme.id}`)
  const shown = await app.world.anonymous.get(`/public/quotes/${records['public']}`)
  documentHash = shown.data.document_sha256
}

async function made(row: string, value: unknown): Promise<number> {
  const [one] = await app.database.query<{ id: number }>(`insert into ${row} returning id`, [value])
  return one?.id ?? 0
}

const unique = (): string => randomBytes(6).toString('hex')

const bodyOf = (route: Route): object => own(structuredClone(BODIES[key(route)] ?? route.openapi.example ?? {}))

/** Fills in the ids of this organization's records, and values that must be unique. */
function own(body: unknown): object {
  const mine: Record<string, unknown> = {
    organization_id: acme.id,
    entitlement_id: records['entitlements'],
    invoice_id: records['invoices'],
    collaborator_id: records['collaborators'],
    user_id: acme.owner.userId,
    email: `${unique()}@x.example`,
    owner_email: `${unique()}@x.example`,
    sku: unique(),
    external_id: unique(),
    document_sha256: documentHash,
  }
  const given = typeof body === 'object' && body !== null ? body : {}
  return Object.fromEntries(Object.entries(given).map(([name, value]) => [name, name in mine ? mine[name] : value]))
}

function queries({ most }: Inputs): void {
  const withQuery = routes.filter(({ method, query }) => method === 'GET' && query)
  it.each(withQuery.map((route) => [key(route), route] as const))('%s', async (_name, route) => {
    await stageFor(route)
    for (const field of fieldsOf(route.query)) {
      const values = field.kind === 'free' ? [...TEXTS, '%', '\\', ...longest(field.maximum)] : valuesOf(field)
      for (const value of values.slice(0, most)) {
        const query = new URLSearchParams({ [nameOf(field)]: String(value) })
        const answer = await send(speakerFor(route), route, `${pathOf(route)}?${query.toString()}`, undefined, {})
        expect(answer.status, `${nameOf(field)}=${JSON.stringify(value).slice(0, 200)}`).toBeLessThan(500)
      }
    }
  })
}

function jobsThatFollow(): void {
  it('do not fail in the database, a mail or a document', async () => {
    // Every route has made an administrator. Of what each of them is mailed of a change, the first is worked on.
    await app.database.query(`
      delete from jobs using (
        select id, row_number() over (partition by kind, payload -> 'entry_id' order by id) as nth
          from jobs where payload ? 'entry_id' and payload ? 'user_id') mails
       where jobs.id = mails.id and mails.nth > 1`)
    await app.service.worker.drain()
    const failed = await app.database.query(
      `select kind, last_error from jobs where last_error ~ '^(error|TypeError|RangeError|URIError|SyntaxError):'`,
    )
    expect(failed).toEqual([])
  })
}
