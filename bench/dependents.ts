// The records of the callers' entitlements: licenses, environments, services, tickets, contracts; and one entitlement with many
// of each, for the requests of its lineage.
import type { Client } from 'pg'

/** The first ENV entitlement of each organization: tickets are opened for it, and the big organization's has many records. */
export const FILLED_CODE = 'ENV-2026110000001'

/** More than a run reaches, since domains of an interrupted round stay active. */
const ACTIVATIONS_LIMIT = 1000
const FILLED = { invoices: 3, licenses: 20, environments: 4, services: 5, tickets: 50, contracts: 3 }

const LICENSE = `
  insert into licenses (organization_id, license_key, product_name, entitlement_id, entitlement_code, activations_limit, expires_at)
  select e.organization_id, regexp_replace(upper(left(md5(e.id || '-' || n), 25)), '(.{5})(?=.)', '\\1-', 'g'),
         e.product_name, e.id, e.code, ${ACTIVATIONS_LIMIT}, e.expires_at`
const ENVIRONMENT = `
  insert into environments (organization_id, name, status, platform, environment_type, url, entitlement_id, entitlement_code)
  select e.organization_id, 'Environment ' || n, 'active', 'wordpress', case when n = 1 then 'production' else 'staging' end,
         'https://site-' || n || '.environment-' || e.id || '.example', e.id, e.code`
const SERVICE = `
  insert into services (organization_id, name, status, lifecycle, entitlement_id, entitlement_code)
  select e.organization_id, 'Service ' || n, 'in_progress', 'ongoing', e.id, e.code`
// Numbers of a year in which none are allocated.
const TICKET = `
  insert into tickets (organization_id, number, title, description, entitlement_id, entitlement_code, created_by)
  select e.organization_id, 'SR-2000' || lpad(e.id || lpad(n::text, 2, '0'), 9, '0'), 'Request ' || n, 'Since last night',
         e.id, e.code, e.organization_id`
const CONTRACT = `
  insert into contracts (organization_id, title, status, start_date, end_date, entitlement_id, entitlement_code,
                         sla_first_response_minutes, sla_resolution_minutes)
  select e.organization_id, 'Contract ' || n, 'active', '2026-01-01', '2999-01-01', e.id, e.code,
         '{"normal":60}', '{"normal":480}'`

/** One of each for each entitlement of its class, in the given organizations. */
export async function fillDependents(client: Client, organizationIds: readonly number[]): Promise<void> {
  const each = (statement: string, className: string) =>
    client.query(
      `${statement} from entitlements e, generate_series(1, 1) n
        where e.organization_id = any($1) and e.class = $2`,
      [organizationIds, className],
    )
  await each(LICENSE, 'PLG')
  await each(ENVIRONMENT, 'ENV')
  await each(SERVICE, 'SVC')
  await each(TICKET, 'ENV')
  await each(CONTRACT, 'ENV')
}

const EVENTS_EACH = 200

/** Events of the licenses, of which the feed gives twenty at a time. */
export async function fillEvents(client: Client, organizationIds: readonly number[]): Promise<void> {
  await client.query(
    `insert into events (organization_id, sequence, type, resource, resource_id, data, at)
     select l.organization_id, n, 'titular/license/' || case n % 2 when 0 then 'activated' else 'deactivated' end, 'license',
            l.id, to_jsonb(l) - '{license_key,replaced_key_digests}'::text[], now()
       from (select distinct on (organization_id) * from licenses where organization_id = any($1)
              order by organization_id, id) l, generate_series(1, $2::int) n order by n`,
    [organizationIds, EVENTS_EACH],
  )
  await client.query(`update event_sequences set last_sequence = $2 where organization_id = any($1)`, [
    organizationIds,
    EVENTS_EACH,
  ])
}

/** Many records of one entitlement, as if one quote had sold it. */
export async function fillOne(client: Client, organizationId: number): Promise<void> {
  const plenty = (statement: string, count: number) =>
    client.query(
      // After the record that every entitlement has.
      `${statement} from entitlements e, generate_series(2, $3::int) n where e.organization_id = $1 and e.code = $2`,
      [organizationId, FILLED_CODE, count],
    )
  await plenty(LICENSE, FILLED.licenses + 1)
  await plenty(ENVIRONMENT, FILLED.environments)
  await plenty(SERVICE, FILLED.services + 1)
  await plenty(TICKET, FILLED.tickets)
  await plenty(CONTRACT, FILLED.contracts)
  await sellOne(client, organizationId)
}

/** One line of 100.00, as stored in the tables. */
export const linesOf = (entitlementClass: 'PLG' | 'ENV'): string =>
  JSON.stringify([
    {
      product_name: 'Backup',
      description: null,
      quantity: 1,
      unit_price: '100.00',
      subtotal: '100.00',
      discount: '0.00',
      tax_rate: null,
      tax: '0.00',
      total: '100.00',
      entitlement_class: entitlementClass,
      term_months: null,
      entitlement_code: null,
      product_id: null,
      sku: null,
    },
  ])

async function sellOne(client: Client, organizationId: number): Promise<void> {
  await client.query(
    `with sold as (
       insert into quotes (organization_id, status, company, currency, subtotal, tax_total, total, valid_until, line_items)
       values ($1, 'fulfilled', 'entity_br', 'BRL', 100.00, 0.00, 100.00, '2999-12-31', $2) returning id
     ), ordered as (
       insert into orders (organization_id, number, status, company, currency, subtotal, tax_total, total, line_items, quote_id, date_paid)
       select $1, 'T-' || id, 'completed', 'entity_br', 'BRL', 100.00, 0.00, 100.00, $2, id, now() from sold returning id, quote_id
     ), billed as (
       insert into invoices (organization_id, number, status, company, currency, total, line_items, issue_date, due_date, order_id)
       select $1, 'BR-' || n, 'paid', 'entity_br', 'BRL', 100.00, $2, '2026-01-01', '2026-02-01', o.id
         from ordered o, generate_series(1, $3::int) n
     )
     update entitlements e set quote_id = o.quote_id, quote_line = 0, order_id = o.id from ordered o
      where e.organization_id = $1 and e.code = $4`,
    [organizationId, linesOf('ENV'), FILLED.invoices, FILLED_CODE],
  )
}
