// What ends soon: entitlements, licenses, contracts and quotes that are in force, the first to end first. Each kind is
// listed only for who may read it.
import { join, nothing, raw, sql, type Statement, when } from '#kernel/values/sql.ts'
import type { Scope } from '#kernel/values/permissions.ts'
import {
  daysAhead,
  EXPIRING_KINDS,
  type ExpiringKind,
  organizationsOf,
  type Report,
  type ReportScene,
} from './report.ts'
import { ofCompany, todayBy, within, zoneBy } from './report.ts'

/** What some kinds lack. */
const NAMES = [
  ...(['code', 'number', 'title', 'class', 'product_name', 'license_key_ends', 'quantity'] as const),
  ...(['currency', 'total', 'renews', 'expires_at', 'notice_date'] as const),
]
type Column = (typeof NAMES)[number]
const ABSENT: Readonly<Record<Column, string>> = {
  code: 'null::text',
  number: 'null::text',
  title: 'null::text',
  class: 'null::text',
  product_name: 'null::text',
  license_key_ends: 'null::text',
  quantity: 'null::integer',
  currency: 'null::text',
  total: 'null::numeric',
  renews: 'null::boolean',
  expires_at: 'null::timestamptz',
  notice_date: 'null::date',
}

/** The record is `r`; `e` has its legal entity. */
type Kind = {
  scope: Scope
  from: Statement
  columns: Partial<Record<Column, string>>
  /** Its last day. */
  lastDay: (scene: ReportScene) => Statement
  isInForce: (scene: ReportScene) => Statement
}

const dayOfEnd = (scene: ReportScene): Statement => sql`(r.expires_at at time zone ${zoneBy('e.company', scene)})::date`
const endsLater = ({ now }: ReportScene) => sql`r.status in ('active', 'suspended') and r.expires_at > ${now}`

const KINDS: Readonly<Record<ExpiringKind, Kind>> = {
  entitlements: {
    scope: 'entitlements',
    from: sql`from entitlements r cross join lateral (select r.company) e`,
    columns: {
      code: 'r.code',
      class: 'r.class',
      product_name: 'r.product_name',
      quantity: 'r.quantity',
      renews: 'r.renews',
      expires_at: 'r.expires_at',
    },
    lastDay: dayOfEnd,
    isInForce: endsLater,
  },
  licenses: {
    scope: 'licenses',
    from: sql`from licenses r join entitlements e on e.organization_id = r.organization_id and e.id = r.entitlement_id`,
    columns: {
      code: 'r.entitlement_code',
      product_name: 'r.product_name',
      license_key_ends: 'r.key_last_four',
      renews: 'r.renews',
      expires_at: 'r.expires_at',
    },
    lastDay: dayOfEnd,
    isInForce: endsLater,
  },
  contracts: {
    scope: 'contracts',
    from: sql`from contracts r cross join lateral (select r.company) e`,
    columns: { title: 'r.title', notice_date: 'r.notice_date' },
    lastDay: () => sql`r.end_date`,
    isInForce: () => sql`r.status = 'active'`,
  },
  quotes: {
    scope: 'quotes',
    from: sql`from quotes r cross join lateral (select r.company) e`,
    columns: { number: 'r.number', currency: 'r.currency', total: 'r.total' },
    lastDay: () => sql`r.valid_until`,
    isInForce: () => sql`r.status in ('sent', 'viewed')`,
  },
}

const kindsOf = ({ kind }: { kind?: ExpiringKind }): readonly ExpiringKind[] =>
  EXPIRING_KINDS.filter((one) => kind === undefined || one === kind)

export const expiring: Report = {
  name: 'expiring',
  purpose: 'what ends soon',
  description:
    'Entitlements, licenses, contracts and quotes, by `kind` or all, each only for who may read it. Entitlements and ' +
    'licenses that are active or suspended and whose end lies ahead: those that renew end only if the subscription ' +
    'does. Active contracts by their last day. Quotes that the customer can still accept, by the last day on which ' +
    'they can be. With `class` entitlements alone, with `currency` quotes alone.',
  scope: (query) => kindsOf(query).map((kind) => KINDS[kind].scope),
  isOwn: true,
  parameters: ['kind', 'days', 'company', 'class', 'currency', 'organization_id'],
  columns: [
    ...(['kind', 'id', 'code', 'number', 'title', 'organization_id', 'organization_name', 'company', 'class'] as const),
    ...([
      'product_name',
      'license_key_ends',
      'status',
      'quantity',
      'currency',
      'total',
      'renews',
      'expires_at',
    ] as const),
    ...(['notice_date', 'expires_on', 'days_left'] as const),
  ],
  nullable: NAMES,
  rows: (query, scene) => sql`
    select f.* from (${join(
      kindsOf(query).map((kind) => rowsOf(kind, query, scene)),
      ' union all ',
    )}) f
     where f.days_left between 0 and ${daysAhead(query)}
       ${when(query.class, (one) => sql`and f.class = ${one}`)}
       ${when(query.currency, (one) => sql`and f.currency = ${one}`)}
     order by f.expires_on, f.expires_at, f.kind, f.id`,
}

function rowsOf(
  name: ExpiringKind,
  { company, ...query }: Parameters<Report['rows']>[0],
  scene: ReportScene,
): Statement {
  const { scope, from, columns, lastDay, isInForce } = KINDS[name]
  const column = (one: Column): Statement => sql`${raw(columns[one] ?? ABSENT[one])} as ${raw(one)}`
  const some = (...names: Column[]): Statement => join(names.map(column), ', ')
  return sql`
    select ${name}::text as kind, r.id, ${some('code', 'number', 'title')}, r.organization_id,
           o.name as organization_name, e.company, ${some('class', 'product_name', 'license_key_ends')}, r.status,
           ${some('quantity', 'currency', 'total', 'renews', 'expires_at', 'notice_date')},
           ${lastDay(scene)} as expires_on, ${lastDay(scene)} - ${todayBy('e.company', scene)} as days_left
      ${from} join ${organizationsOf(scene)} o
           on o.organization_id = r.organization_id and o.id = r.organization_id
     where ${scene.mayRead(scope)} and ${within('r', scene, query)} ${company ? ofCompany('e', { company }) : nothing}
       and ${isInForce(scene)} and o.deleted_at is null`
}
