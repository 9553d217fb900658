// Which releases an organization may have, by which of its entitlements: the one predicate behind the list, the record,
// its links and the updater. The statements call a release `r` and a grant `g`.
import { nothing, sql, type Statement } from '#kernel/values/sql.ts'

/**
 * What the active entitlements of an organization (a value or a column) grant: releases of a product and a channel up
 * to a time. The product is found by its name where an entitlement was entered without it. A part of its own, since a
 * cluster joins releases, which are on the coordinator, with its result only. `among` are further conditions on the
 * entitlements `e`.
 */
export const granted = (organization: Statement, now: Date | Statement, among = nothing): Statement => sql`
  granted as materialized (
  select e.id as entitlement_id, coalesce(e.product_id, n.id) as product_id, c.channel,
    coalesce(e.updates_until, 'infinity') as until
    from entitlements e
    left join products n on e.product_id is null and n.name = e.product_name
    cross join unnest(e.release_channels) c (channel)
   where e.organization_id = ${organization} and e.class = 'PLG' and e.status = 'active'
     and (e.expires_at is null or e.expires_at > ${now} or e.renews)
       and (e.suspends_at is null or e.suspends_at > ${now}) ${among})`

/** A grant covers a release. Drafts are nobody's. */
export const covers = sql`
  r.product_id = g.product_id and r.channel = g.channel and r.released_at <= g.until and r.status <> 'draft'`

/** The ids of the releases, found in one pass over them, however many entitlements cover each. */
export const entitledReleases = sql`
  select r.id from releases r join (
    select product_id, channel, max(until) as until from granted group by product_id, channel) g on ${covers}`
