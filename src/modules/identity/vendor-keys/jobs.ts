// The mails about keys of the vendor, to those who may manage keys: what was done with one, and before one ends
// (docs/interface/general.md). Inboxes are of organizations, to which these keys do not belong.
import { type IoContext, one, type SystemContext } from '#kernel/data/context.ts'
import { sql } from '#kernel/values/sql.ts'
import { jobKind } from '#kernel/data/job-kinds.ts'
import { enqueue, type JobInput, systemJob } from '#kernel/jobs/jobs.ts'
import { Id } from '#kernel/values/schema.ts'
import { addresseeOf } from '#modules/identity/auth/addressee.ts'
import { users } from '#modules/identity/auth/users.ts'
import { sendMail } from '#modules/messages/notifications/send-mail.ts'
import { actingStaff, administratorsNow } from '#modules/identity/staff/acting-staff.ts'
import type { VendorKeyAct } from '#texts/mail/key-contents.ts'
import { vendorKeys } from './queries.ts'

const warnOfKeys = jobKind('vendor-keys/warn-of-ends', {})
const mailWarning = jobKind('vendor-keys/mail-warning', { key_id: Id, user_id: Id })
/** `entry_id`: what happened, in the service's audit log. */
const mailChange = jobKind('vendor-keys/mail-change', { entry_id: Id, user_id: Id })

export async function tellOfKey(ctx: SystemContext, entry_id: number): Promise<void> {
  for (const { id: user_id } of await administratorsNow(ctx)) await enqueue(ctx, mailChange, { entry_id, user_id })
}

type Entry = { at: string; actor: string; action: VendorKeyAct; resource_id: number }

async function mailChangeTo(io: IoContext, job: JobInput<{ entry_id: number; user_id: number }>): Promise<void> {
  const { entry_id, user_id } = job.payload
  const [recipient] = await io.read(users.byId(user_id))
  if (!recipient || !(await actingStaff(io, user_id, ['staff']))) return
  const ask = { ask: io.read }
  const { at, actor, action, resource_id } = await one(
    ask,
    sql<Entry>`select at, actor, action, resource_id from service_audit where id = ${entry_id}`,
  )
  const { name, permissions, organization_ids } = await one(ask, vendorKeys.everById(resource_id))
  await sendMail(io, job, await addresseeOf(io, recipient), {
    kind: 'vendor-key-changed',
    recipient: recipient.name,
    act: action,
    name,
    permissions,
    organizations: organization_ids?.length ?? null,
    changedBy: actor,
    changedAt: at,
  })
}

async function mailWarningTo(io: IoContext, job: JobInput<{ key_id: number; user_id: number }>): Promise<void> {
  const { key_id, user_id } = job.payload
  const [key] = await io.read(vendorKeys.warnedOf(key_id, io.now))
  const [recipient] = await io.read(users.byId(user_id))
  if (!key || !recipient || !(await actingStaff(io, user_id, ['staff']))) return
  await sendMail(io, job, await addresseeOf(io, recipient), {
    kind: 'vendor-key-expiring',
    recipient: recipient.name,
    name: key.name,
    lastFour: key.last_four,
    endsAt: key.expires_at,
    lastUsedAt: key.last_used_at,
    createdBy: key.created_by_name,
  })
}

export const vendorKeyJobs = [
  systemJob(warnOfKeys, {
    everySeconds: 60,
    run: async (ctx) => {
      const warned = await ctx.ask(vendorKeys.warn(ctx))
      const managers = warned.length === 0 ? [] : await administratorsNow(ctx)
      for (const { id: key_id } of warned)
        for (const { id: user_id } of managers) await enqueue(ctx, mailWarning, { key_id, user_id })
    },
  }),
  systemJob(mailWarning, { before: mailWarningTo }),
  systemJob(mailChange, { before: mailChangeTo }),
]
