// The data: many organizations of the same size, a big one, their owners, quotes to accept.
import { Client } from 'pg'
import { createAccessTokens } from '#kernel/access/access-tokens.ts'
import { loadSigningKeys } from '#kernel/keys/signing-keys.ts'
import { createPasswordHasher } from '#modules/identity/auth/passwords/passwords.ts'
import { MIGRATIONS } from '../src/commands/databases.ts'
import { loadSecrets } from '../src/commands/secrets.ts'
import { migrate } from '../src/postgres/migrate.ts'
import { FILLED_CODE, fillDependents, fillEvents, fillOne, linesOf } from './dependents.ts'
import { benchConfig } from './settings.ts'

export type Size = { organizations: number; entitlements: number; big: number; quotes: number }

/** The owner of an organization, and the ids and codes of their requests. */
export type Owner = { organizationId: number; token: string; codes: string[]; licenseId: number; entitlementId: number }

export type Quote = { id: number; organizationId: number }

export type Data = {
  url: string
  owners: Owner[]
  quotes: Quote[]
  emails: string[]
  bigOwner: Owner
  /** Of the sandbox's payment provider for the entity in Brazil. */
  webhookSecret: string
}

export const PASSWORD = 'vento-lilas-7'
const OWNERS = 400
const QUOTED_ORGANIZATIONS = 100
const WEEK_MS = 7 * 86_400_000
const CODES_EACH = 2

const quiet = { info: () => {}, warn: () => {}, error: () => {} }

/** Fills the database, and returns the callers, ids and codes of the requests. */
export async function makeData(serverUrl: string, name: string, size: Size, dataDir: string): Promise<Data> {
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  await asSuperuser(serverUrl, (client) => client.query(`create database ${name}`))
  await migrate({ ownerUrl: url.href, directory: MIGRATIONS, log: quiet })
  const hash = await createPasswordHasher().hash(PASSWORD)
  return asSuperuser(url.href, async (client) => {
    await fill(client, size, hash)
    return ask(client, url.href, size, dataDir)
  })
}

/** The last organization is the big one. A user, a session and an organization have the same id. */
async function fill(client: Client, size: Size, hash: string): Promise<void> {
  const { organizations, entitlements, big, quotes } = size
  const now = new Date()
  // Without foreign keys and triggers, whose checks would take most of the time.
  await client.query(`set session_replication_role = replica`)
  await client.query(
    `insert into users (id, email, name, login, status, password_hash)
     select i, 'owner-' || i || '@example.com', 'Owner ' || i, 'owner-' || i, 'ACTIVE', $2 from generate_series(1, $1::int) i`,
    [organizations, hash],
  )
  await client.query(
    `insert into sessions (id, user_id, expires_at) select i, i, $2 from generate_series(1, $1::int) i`,
    [organizations, new Date(now.getTime() + WEEK_MS)],
  )
  await client.query(
    `insert into organizations (id, name, owner_id, country) select i, 'Organization ' || i, i, 'BR' from generate_series(1, $1::int) i`,
    [organizations],
  )
  await client.query(`insert into event_sequences (organization_id) select generate_series(1, $1::int)`, [
    organizations,
  ])
  await client.query(
    `insert into collaborators (organization_id, user_id, email, role, invite_status)
     select i, i, 'owner-' || i || '@example.com', 'owner', 'accepted' from generate_series(1, $1::int) i`,
    [organizations],
  )
  await fillEntitlements(client, entitlements, [1, organizations - 1])
  await fillEntitlements(client, big, [organizations, organizations])
  await client.query(
    `insert into quotes (organization_id, status, company, currency, subtotal, tax_total, total, valid_until, line_items, sent_at)
     select ($2::bigint[])[1 + i % cardinality($2::bigint[])], 'sent', 'entity_br', 'BRL', 100.00, 0.00, 100.00, '2999-12-31',
            $4::jsonb, $3
       from generate_series(1, $1::int) i`,
    [quotes, ownersOf(size).slice(0, QUOTED_ORGANIZATIONS), now, offeredLines()],
  )
  await fillDependents(client, [...ownersOf(size), organizations])
  await fillOne(client, organizations)
  await fillEvents(client, ownersOf(size))
  await client.query(`set session_replication_role = origin`)
  for (const table of ['users', 'sessions', 'organizations'])
    await client.query(`select setval(pg_get_serial_sequence($1, 'id'), $2)`, [table, organizations])
  await client.query('vacuum analyze')
  await client.query('checkpoint')
}

const fillEntitlements = (client: Client, each: number, [first, last]: [number, number]) =>
  client.query(
    `insert into entitlements (organization_id, code, class, product_name, product_description, company, expires_at, metadata)
     select o, c || '-202611' || lpad(n::text, 7, '0'), c, 'Product ' || n, 'Something that was sold', 'entity_br',
            '2999-01-01', '{"seats":5}'
       from generate_series(1, $1::int) n, generate_series($2::int, $3::int) o,
            lateral (select (array['PLG','ENV','SVC','ORD','AFL','EDU'])[1 + n % 6]) class(c)`,
    [each, first, last],
  )

/** The organizations whose owners make requests, spread over all. */
function ownersOf({ organizations }: Size): number[] {
  const count = Math.min(OWNERS, organizations - 1)
  return Array.from({ length: count }, (_, index) => 1 + Math.floor((index * (organizations - 1)) / count))
}

async function ask(client: Client, url: string, size: Size, dataDir: string): Promise<Data> {
  const config = benchConfig({ url, dataDir })
  const secrets = await loadSecrets(config)
  const keys = await loadSigningKeys({ pems: secrets.pems })
  const tokens = createAccessTokens({ keys, issuer: config.issuer })
  const ids = ownersOf(size)
  const now = new Date()
  const ownerOf = async (organizationId: number): Promise<Owner> => {
    const grant = { userId: organizationId, sessionId: organizationId, organizationId, roles: [], scopes: [], now }
    const { rows } = await client.query<{ code: string }>(
      `select code from entitlements where organization_id = $1 order by md5(code) limit $2`,
      [organizationId, CODES_EACH],
    )
    const { access_token: token } = await tokens.issue(grant)
    return { organizationId, token, codes: rows.map(({ code }) => code), ...(await idsOf(client, organizationId)) }
  }
  const owners: Owner[] = []
  for (const id of ids) owners.push(await ownerOf(id))
  const { rows } = await client.query<{ id: string; organization_id: string }>(
    `select id, organization_id from quotes order by id`,
  )
  return {
    url,
    webhookSecret: secrets.sandboxPayments.entity_br.webhookSecret,
    owners,
    bigOwner: await ownerOf(size.organizations),
    quotes: rows.map(({ id, organization_id }) => ({ id: Number(id), organizationId: Number(organization_id) })),
    emails: ids.map((id) => `owner-${id}@example.com`),
  }
}

/** A license to activate, and the entitlement that tickets are opened for. */
async function idsOf(client: Client, organizationId: number): Promise<Pick<Owner, 'licenseId' | 'entitlementId'>> {
  const { rows } = await client.query<{ license: string | null; entitlement: string | null }>(
    `select (select min(id) from licenses where organization_id = $1) as license,
            (select id from entitlements where organization_id = $1 and code = $2) as entitlement`,
    [organizationId, FILLED_CODE],
  )
  const [{ license, entitlement } = { license: null, entitlement: null }] = rows
  if (license === null || entitlement === null)
    throw new Error(`organization ${organizationId} lacks something to ask for`)
  return { licenseId: Number(license), entitlementId: Number(entitlement) }
}

async function asSuperuser<Result>(url: string, work: (client: Client) => Promise<Result>): Promise<Result> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/** As quotes store them: the customer takes them as they are. */
function offeredLines(): string {
  const fixed = { is_optional: false, is_chosen: true, quantity_min: null, quantity_max: null, discount_percent: null }
  return JSON.stringify(JSON.parse(linesOf('PLG')).map((line: object) => ({ ...line, ...fixed })))
}
