// What ends soon: entitlements, licenses, contracts and quotes that are in force, the first to end first.
import { sql, when } from '#kernel/values/sql.ts'
import { daysAhead, ofCompany, organizationsOf, type Report, todayBy, within, zoneBy } from './report.ts'

const WHO = ['organization_id', 'organization_name'] as const

export const expiringEntitlements: Report = {
  name: 'expiring-entitlements',
  purpose: 'entitlements that end soon',
  description: 'Active and suspended ones whose end lies ahead. Those that renew end only if the subscription does.',
  scope: 'entitlements',
  isOwn: true,
  parameters: ['days', 'company', 'class', 'organization_id'],
  columns: [
    ...(['id', 'code', ...WHO, 'company', 'class', 'product_name', 'status'] as const),
    ...(['quantity', 'renews', 'expires_at', 'expires_on', 'days_left'] as const),
  ],
  rows: (query, scene) => sql`
    select f.* from (
      select e.id, e.code, e.organization_id, o.name as organization_name, e.company, e.class, e.product_name, e.status,
             e.quantity, e.renews, e.expires_at, (e.expires_at at time zone ${zoneBy('e.company', scene)})::date as
               expires_on,
             (e.expires_at at time zone ${zoneBy('e.company', scene)})::date - ${todayBy('e.company', scene)} as
               days_left
        from entitlements e join ${organizationsOf(scene)} o on o.organization_id = e.organization_id
          and o.id = e.organization_id
       where ${within('e', scene, query)} ${ofCompany('e', query)}
         ${when(query.class, (one) => sql`and e.class = ${one}`)}
         and e.status in ('active', 'suspended') and e.expires_at > ${scene.now} and o.deleted_at is null) f
     where f.days_left <= ${daysAhead(query)} order by f.expires_at, f.id`,
}

export const expiringLicenses: Report = {
  name: 'expiring-licenses',
  purpose: 'licenses that end soon',
  description: 'Active and suspended ones whose end lies ahead.',
  scope: 'licenses',
  isOwn: true,
  parameters: ['days', 'company', 'organization_id'],
  columns: [
    ...(['id', 'license_key_ends', 'code', ...WHO, 'company', 'product_name'] as const),
    ...(['status', 'renews', 'expires_at', 'expires_on', 'days_left'] as const),
  ],
  rows: (query, scene) => sql`
    select f.* from (
      select l.id, l.key_last_four as license_key_ends, l.entitlement_code as code, l.organization_id,
             o.name as organization_name, e.company, l.product_name, l.status, l.renews, l.expires_at,
             (l.expires_at at time zone ${zoneBy('e.company', scene)})::date as expires_on,
             (l.expires_at at time zone ${zoneBy('e.company', scene)})::date - ${todayBy('e.company', scene)} as
               days_left
        from licenses l
        join entitlements e on e.organization_id = l.organization_id and e.id = l.entitlement_id
        join ${organizationsOf(scene)} o on o.organization_id = l.organization_id and o.id = l.organization_id
       where ${within('l', scene, query)} ${ofCompany('e', query)}
         and l.status in ('active', 'suspended') and l.expires_at > ${scene.now} and o.deleted_at is null) f
     where f.days_left <= ${daysAhead(query)} order by f.expires_at, f.id`,
}

export const expiringContracts: Report = {
  name: 'expiring-contracts',
  purpose: 'contracts that end soon',
  description: 'Active ones by their last day.',
  scope: 'contracts',
  isOwn: true,
  parameters: ['days', 'company', 'organization_id'],
  columns: ['id', 'title', ...WHO, 'company', 'status', 'notice_date', 'expires_on', 'days_left'],
  rows: (query, scene) => sql`
    select f.* from (
      select c.id, c.title, c.organization_id, o.name as organization_name, c.company, c.status, c.notice_date,
             c.end_date as expires_on, c.end_date - ${todayBy('c.company', scene)} as days_left
        from contracts c join ${organizationsOf(scene)} o on o.organization_id = c.organization_id
          and o.id = c.organization_id
       where ${within('c', scene, query)} ${ofCompany('c', query)} and c.status = 'active'
         and o.deleted_at is null) f
     where f.days_left between 0 and ${daysAhead(query)} order by f.expires_on, f.id`,
}

export const expiringQuotes: Report = {
  name: 'expiring-quotes',
  purpose: 'quotes that expire soon',
  description: 'Those that the customer can still accept, by the last day on which they can be.',
  scope: 'quotes',
  isOwn: true,
  parameters: ['days', 'company', 'currency', 'organization_id'],
  columns: ['id', 'number', ...WHO, 'company', 'status', 'currency', 'total', 'expires_on', 'days_left'],
  rows: (query, scene) => sql`
    select f.* from (
      select q.id, q.number, q.organization_id, o.name as organization_name, q.company, q.status, q.currency, q.total,
             q.valid_until as expires_on, q.valid_until - ${todayBy('q.company', scene)} as days_left
        from quotes q join ${organizationsOf(scene)} o on o.organization_id = q.organization_id
          and o.id = q.organization_id
       where ${within('q', scene, query)} ${ofCompany('q', query)} and q.status in ('sent', 'viewed')
         and o.deleted_at is null) f
     where f.days_left between 0 and ${daysAhead(query)} order by f.expires_on, f.id`,
}
