// What the worker does for invites: it mails them, tells who invited, and ends what nobody answered.
import { move } from '#kernel/data/changes.ts'
import { first } from '#kernel/data/context.ts'
import type { Consumer } from '#kernel/jobs/events.ts'
import { jobKind } from '#kernel/jobs/job-kinds.ts'
import { organizationJob, systemJob } from '#kernel/jobs/jobs.ts'
import { collaboratorsTable, inviteMoves } from './collaborator.ts'
import { inviteToken } from './invitation.ts'
import { sendMail } from '#areas/notifications/send-mail.ts'
import { isInBrazil } from '#areas/organizations/organization.ts'
import '#ports/ports.ts'
import { invites } from './invite-queries.ts'

const BATCH = 500

const expireInvites = jobKind('invites/expire', {})

export const inviteJobs = [
  organizationJob({
    kind: 'invites/mail',
    before: async (outside, job) => {
      const [invite] = await outside.read(
        invites.toMail(outside.organizationId ?? 0, Number(job.payload['collaborator_id']), outside.now),
      )
      if (!invite) return
      const { publicUrl } = outside.ports.settings
      const token = inviteToken(outside.ports.secretKey, invite.invite_nonce)
      const language = invite.language ?? (isInBrazil(invite.country) ? 'pt-BR' : 'en')
      await sendMail(
        outside,
        job,
        { email: invite.email, language },
        {
          kind: 'invite',
          organizationName: invite.organization_name,
          inviterName: invite.inviter,
          role: invite.invited_role ?? 'member',
          link: `${publicUrl}/invites?token=${token}`,
          expiresAt: invite.expiration,
        },
      )
    },
  }),
  organizationJob({
    kind: 'invites/accepted-mail',
    before: async (outside, job) => {
      const [invite] = await outside.read(
        invites.accepted(outside.organizationId ?? 0, Number(job.payload['resource_id'])),
      )
      if (!invite) return
      await sendMail(
        outside,
        job,
        { email: invite.inviter_email, language: invite.inviter_language },
        {
          kind: 'invite-accepted',
          organizationName: invite.organization_name,
          memberName: invite.name,
          memberEmail: invite.email,
          link: null,
        },
      )
    },
  }),
  systemJob(expireInvites, {
    everySeconds: 60,
    before: async ({ read, now }, _job, { inEach }) =>
      inEach(await read(invites.due(now, BATCH)), async (ctx, { organization_id, id }) => {
        if (await first(ctx, invites.isDue(organization_id, id, now)))
          await move(ctx, collaboratorsTable, id, inviteMoves.expire)
      }),
  }),
]

export const inviteConsumers: readonly Consumer[] = [
  { event: 'titular/collaborator/invite_accepted', job: 'invites/accepted-mail' },
]
