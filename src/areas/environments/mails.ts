// Mails about maintenance: to everybody in the organization who may see environments, each with a job of its own.
import { sendMail } from '#areas/notifications/send-mail.ts'
import { enqueue, organizationJob } from '#kernel/jobs/jobs.ts'
import type { MailContent } from '#texts/mail/content.ts'
import { maintenanceWindows, type WindowFact } from './maintenance-queries.ts'
import { environments } from './queries.ts'

const KINDS = ['maintenance-scheduled', 'maintenance-changed', 'maintenance-cancelled'] as const
type Kind = (typeof KINDS)[number]

function contentOf(kind: Kind, fact: WindowFact): MailContent {
  const { organization_name: organizationName, environment_name: environmentName } = fact
  const { starts_at: startsAt, ends_at: endsAt, note } = fact
  return { kind, organizationName, environmentName, startsAt, endsAt, note, link: null }
}

/** What has been overtaken is not told: a window that was called off is announced no more. */
const isStillTrue = (kind: Kind, { status, environment_status }: WindowFact): boolean =>
  environment_status !== 'decommissioned' && (kind === 'maintenance-cancelled' || status !== 'cancelled')

const announce = (kind: Kind) =>
  organizationJob({
    kind: `environments/announce-${kind}`,
    run: async (ctx, { payload }) => {
      for (const { user_id } of await ctx.ask(environments.readers(ctx.organizationId, ctx.now)))
        await enqueue(ctx, `environments/mail-${kind}`, { window_id: payload['resource_id'], user_id })
    },
  })

const mail = (kind: Kind) =>
  organizationJob({
    kind: `environments/mail-${kind}`,
    before: async (outside, job) => {
      const { window_id, user_id } = job.payload
      const org = outside.organizationId ?? 0
      const [fact] = await outside.read(maintenanceWindows.forMail(org, window_id))
      const reader = (await outside.read(environments.readers(org, outside.now))).find((one) => one.user_id === user_id)
      // Left the organization, or lost the scope, since.
      if (!fact || !reader || !isStillTrue(kind, fact)) return
      await sendMail(outside, job, reader, contentOf(kind, fact))
    },
  })

export const maintenanceMailJobs = KINDS.flatMap((kind) => [announce(kind), mail(kind)])

export const maintenanceConsumers = [
  { event: 'titular/maintenance_window/created', job: 'environments/announce-maintenance-scheduled' },
  { event: 'titular/maintenance_window/updated', job: 'environments/announce-maintenance-changed' },
  { event: 'titular/maintenance_window/cancelled', job: 'environments/announce-maintenance-cancelled' },
] as const
