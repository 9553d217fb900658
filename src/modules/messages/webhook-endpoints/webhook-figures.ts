// The figures of webhooks for /metrics, over all organizations.
import { type Statement, sql } from '#kernel/values/sql.ts'

type Figures = Record<'first' | 'retry' | 'active' | 'paused' | 'disabled' | 'failing', number> & {
  oldest_due_seconds: number | null
}

export const webhookFigures = (now: Date): Statement<Figures> => sql<Figures>`
  with endpoint as (
    select e.id, e.status, e.status = 'active' and q.failures > 0 as is_failing
      from webhook_endpoints e join webhook_queues q on q.endpoint_id = e.id where e.deleted_at is null),
  pending as (
    select count(*) filter (where d.step = 0) as first, count(*) filter (where d.step > 0) as retry,
           extract(epoch from ${now}::timestamptz - min(d.next_attempt_at) filter (where not e.is_failing))::float8 as
             waited
      from webhook_deliveries d join endpoint e on e.id = d.endpoint_id and e.status = 'active'
        where d.state = 'pending')
  select p.first, p.retry, greatest(p.waited, 0) as oldest_due_seconds,
         count(*) filter (where e.status = 'active') as active, count(*) filter (where e.status = 'paused') as paused,
         count(*) filter (where e.status = 'disabled') as disabled, count(*) filter (where e.is_failing) as failing
    from pending p left join endpoint e on true group by p.first, p.retry, p.waited`
