// What is seen of the settings that say for how long rows are kept: a row that is 40 days old is there after the job
// that removes such rows, or it is not.
import type { TestApp } from '#test/harness/app.ts'
import type { Organization } from '#test/harness/world.ts'

const DAY_MS = 86_400_000

type Each = [value: unknown, seen: unknown][]
type RetentionEffect = { of: 'vendor'; seen: () => Promise<unknown>; each: Each }

const years = (from: string, to: string): number => Number(to.slice(0, 4)) - Number(from.slice(0, 4))

export function retentionEffects(
  app: TestApp,
  acme: Organization,
  run: (kind: string) => Promise<void>,
): Record<
  | 'events_days'
  | 'notices_days'
  | 'webhook_delivery_days'
  | 'inbound_event_days'
  | 'dead_letter_days'
  | 'import_rows_days'
  | 'privacy_export_days'
  | 'erasure_days'
  | 'fiscal_years',
  RetentionEffect
> {
  const { query } = app.database
  const old = () => new Date(app.clock.now.getTime() - 40 * DAY_MS)
  const countOf = async (from: string): Promise<number> => (await query(`select 1 ${from}`)).length
  const person = () => app.world.user()
  const daysTo = (to: string): number => Math.round((Date.parse(to) - app.clock.now.getTime()) / DAY_MS)
  const keptUntil = async () => {
    const { due_at, kept } = (await (await person()).post('/privacy/erasure', {})).data
    return years(due_at, kept[0].until)
  }
  return {
    events_days: {
      of: 'vendor',
      seen: async () => {
        const other = await app.world.organization()
        await other.staff.post('/invoices', { currency: 'BRL', company: 'entity_br', total: '1.00', status: 'open' })
        await app.service.worker.drain()
        await query('update events set at = $2 where organization_id = $1', [other.id, old()])
        await run('events/remove-old')
        return (await countOf(`from events where organization_id = ${other.id}`)) > 0
      },
      each: [
        [60, true],
        [30, false],
      ],
    },
    notices_days: {
      of: 'vendor',
      seen: async () => {
        await query(`insert into mails (kind, email, status, created_at) values ('probe', 'x', 'sent', $1)`, [old()])
        await query(
          `insert into inbox_entries (organization_id, user_id, kind, content, record, staff_scope, created_at)
           values ($1, $2, 'probe', '{}', 'ticket', 'tickets', $3)`,
          [acme.id, acme.owner.userId, old()],
        )
        await run('mails/forget')
        await run('me/forget-entries')
        return [
          await countOf(`from mails where kind = 'probe'`),
          await countOf(`from inbox_entries where kind = 'probe'`),
        ]
      },
      each: [
        [60, [1, 1]],
        [30, [0, 0]],
      ],
    },
    webhook_delivery_days: {
      of: 'vendor',
      seen: async () => {
        await query(
          `insert into webhook_deliveries (endpoint_id, type, body, state, created_at, updated_at)
           values (1, 'probe', '', 'failed', $1, $1)`,
          [old()],
        )
        await run('webhook-endpoints/forget')
        return countOf(`from webhook_deliveries where type = 'probe'`)
      },
      each: [
        [60, 1],
        [30, 0],
      ],
    },
    inbound_event_days: {
      of: 'vendor',
      seen: async () => {
        await query(
          `insert into provider_events (source, company, dedupe_key, type, body, error, received_at)
           values ('probe', '', gen_random_uuid(), 't', '', 'no JSON', $1)`,
          [old()],
        )
        await run('webhooks/prune')
        return countOf(`from provider_events where source = 'probe'`)
      },
      each: [
        [0, 1],
        [60, 2],
        [30, 0],
      ],
    },
    dead_letter_days: {
      of: 'vendor',
      seen: async () => {
        await query(`insert into jobs (kind, dead_at, last_error) values ('probe/dead', $1, 'x')`, [old()])
        await run('admin/remove-dead-letters')
        return countOf(`from jobs where kind = 'probe/dead'`)
      },
      each: [
        [0, 1],
        [60, 2],
        [30, 0],
      ],
    },
    import_rows_days: {
      of: 'vendor',
      seen: async () => {
        const [made] = await query<{ id: number }>(
          `insert into imports (kind, format, source, dry_run, status, file_name, size, sha256, position, line, rows,
             created, created_by, created_by_name, created_at, updated_at, ended_at)
           values ('tickets', 'csv', 'probe', false, 'completed', 'a.csv', 1, '', 1, 1, 1, 1, $1, 'Ana', $2, $2, $2)
           returning id`,
          [acme.staff.userId, old()],
        )
        await query(`insert into import_rows (import_id, line, outcome) values ($1, 1, 'created')`, [made?.id])
        await run('imports/remove-rows')
        return countOf('from import_rows')
      },
      each: [
        [0, 1],
        [60, 2],
        [30, 0],
      ],
    },
    privacy_export_days: {
      of: 'vendor',
      seen: async () => {
        const user = await person()
        const { id } = (await user.post('/privacy/exports', {})).data
        await app.service.worker.drain()
        return daysTo((await user.get(`/privacy/exports/${id}`)).data.expires_at)
      },
      each: [
        [3, 3],
        [90, 90],
      ],
    },
    erasure_days: {
      of: 'vendor',
      seen: async () => daysTo((await (await person()).post('/privacy/erasure', {})).data.due_at),
      each: [
        [0, 0],
        [30, 30],
      ],
    },
    fiscal_years: {
      of: 'vendor',
      seen: keptUntil,
      each: [
        [5, 5],
        [10, 10],
      ],
    },
  }
}
