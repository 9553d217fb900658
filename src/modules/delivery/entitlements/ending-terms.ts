// Terms that an order has sold and that end soon: each is taken once, for a quote of the next one (docs/billing.md).
import { update } from '#kernel/data/changes.ts'
import type { OrganizationContext } from '#kernel/data/context.ts'
import { type Statement, sql } from '#kernel/values/sql.ts'
import type { Due, SweepTime } from '#kernel/jobs/sweep.ts'
import type { SettingsOf } from '#ports/setting-declaration.ts'
import { settingIn } from '#ports/settings-in-force.ts'
import { entitlementsTable } from './entitlement.ts'

const DAY_SECONDS = 86_400

const IS_LEFT = sql`
  e.status in ('active', 'suspended') and not e.renews and e.order_id is not null
  and e.renewal_drafted_for is distinct from e.expires_at and e.scheduled ->> 'act' is distinct from 'cancel'`

/** Of an entitlement `e`: when the term began that ends next. */
export const TERM_BEGAN = sql`coalesce((select max((r.one ->> 'from')::timestamptz)
  from jsonb_array_elements(e.renewals) as r (one)
                             where not (r.one -> 'is_refunded')::boolean), e.created_at)`

const interval = (days: Statement) => sql`make_interval(secs => ${days} * ${DAY_SECONDS})`

/** Of the legal entity `company`. */
const daysIn = ({ settings }: Pick<SweepTime, 'settings'>, company: SettingsOf | Statement = sql`e.company`) => sql`
  ${settingIn(settings, company, 'renewal_quote_days')}::int`

/** So many days before its end, and not before half of the term is over. */
const taken = (days: Statement) => sql`e.expires_at - least(${interval(days)}, (e.expires_at - ${TERM_BEGAN}) / 2)`

/** The longest time of the two is one value for all rows, so that an index finds those that end within it. */
const endsBy = (at: SweepTime) => sql`
  e.expires_at > ${at.now} and e.expires_at <= ${at.now}::timestamptz + ${interval(
    sql`(select greatest(${daysIn(at, 'entity_br')}, ${daysIn(at, 'entity_global')}))`,
  )}`

/** Of all organizations. */
export const endingTerms = (at: SweepTime) => sql<Due>`
  select t.organization_id, t.id, t.due_at
    from (select e.organization_id, e.id, ${taken(daysIn(at))} as due_at from entitlements e
           where ${IS_LEFT} and ${endsBy(at)}) t
   where t.due_at <= ${at.now}`

/** One that will have ended by then is due before. */
export const momentsOfEndingTerms = (at: SweepTime) => sql<Due>`
  select e.organization_id, ${taken(daysIn(at))} as due_at from entitlements e
   where ${IS_LEFT} and e.expires_at > ${at.now}`

/** Takes one that is due with all others that the same order has sold and that are due. Returns their ids. */
export async function takeEndingTerms(ctx: OrganizationContext, id: number): Promise<number[]> {
  const { organizationId: org, now } = ctx
  const due = await ctx.ask(sql<{ id: number; expires_at: string }>`
    select e.id, e.expires_at from entitlements e
     where e.organization_id = ${org}
       and e.order_id = (select o.order_id from entitlements o where o.organization_id = ${org} and o.id = ${id})
       and ${IS_LEFT} and ${endsBy(ctx)} and ${taken(daysIn(ctx))} <= ${now}
     order by e.id for update`)
  for (const { id: each, expires_at } of due)
    await update(ctx, entitlementsTable, each, { renewal_drafted_for: expires_at })
  return due.map(({ id: each }) => each)
}
