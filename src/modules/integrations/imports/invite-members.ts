// POST /admin/imports/{id}/invite: tells the members that an import created, some at a time, so that a mail server is
// not taken for a sender of spam.
import { generateInvitation } from '#modules/identity/collaborators/invitation.ts'
import { invitePrepared } from '#modules/identity/collaborators/invite-collaborator.ts'
import { actingStaff } from '#modules/identity/staff/acting-staff.ts'
import { serviceChange } from '#kernel/data/audit/audit.ts'
import { first, type IoContext, one, type SystemContext } from '#kernel/data/context.ts'
import { conflict, notFound } from '#kernel/values/errors.ts'
import { jobKind } from '#kernel/data/job-kinds.ts'
import { type BoundTransactions, enqueue } from '#kernel/jobs/jobs.ts'
import { Id } from '#kernel/values/schema.ts'
import { Type } from 'typebox'
import type { Import } from './import.ts'
import { IMPORT_KINDS } from './import-kinds.ts'
import { imports } from './queries.ts'

/** `after`: the last line of the file whose member was invited; `invited_by`: in whose name. */
export const inviteMembersJob = jobKind('imports/invite', {
  import_id: Id,
  after: Type.Integer({ minimum: 0 }),
  invited_by: Id,
})

const AT_ONCE = 50
const PAUSE_SECONDS = 30

type Invites = { import_id: number; after: number; invited_by: number }

const enqueueInvites = (ctx: SystemContext, invites: Invites, afterSeconds = 0) =>
  enqueue(ctx, inviteMembersJob, invites, { key: `${inviteMembersJob.name}:${invites.import_id}`, afterSeconds })

export async function inviteMembers(ctx: SystemContext, id: number): Promise<Import> {
  const item = await first(ctx, imports.forChange(id))
  if (!item) throw notFound()
  const { kind, dry_run, ended_at, invites } = item
  if (kind !== 'members' || dry_run)
    throw conflict('nobody_to_invite', 'Only an import of members has somebody to invite')
  if (ended_at === null)
    throw conflict('status_not_allowed', `An import that is ${item.status} has not created all members yet`)
  if (invites === 'sending') throw conflict('already_in_progress', 'The members are being invited already')
  await ctx.ask(imports.startInvites(id, ctx.now))
  await ctx.ask(
    serviceChange(ctx, 'members_invited', {
      resource: 'import',
      id,
      before: { invites },
      after: { invites: 'sending' },
    }),
  )
  await enqueueInvites(ctx, { import_id: id, after: 0, invited_by: ctx.caller.userId ?? item.created_by })
  return one(ctx, imports.view(id))
}

export type InvitedSlice = { from: number; to: number; isLast: boolean } | null

export async function inviteSome(
  io: IoContext,
  { import_id, after, invited_by }: Invites,
  transactions: BoundTransactions,
): Promise<InvitedSlice> {
  const [item] = await io.read(imports.one(import_id))
  if (!item) return null
  const caller = await actingStaff(io, invited_by, IMPORT_KINDS.members.scopes)
  // The others are left to whoever asks for their invites next.
  if (!caller) return { from: after, to: after, isLast: true }
  const members = await io.read(imports.membersAfter(import_id, after, AT_ONCE))
  const acting = transactions.as(caller)
  for (const { organization_id, id } of members)
    await acting.inOrganization(organization_id, (ctx) => invitePrepared(ctx, id, generateInvitation(io)))
  return { from: after, to: members.at(-1)?.line ?? after, isLast: members.length < AT_ONCE }
}

/** In the transaction that ends the job. */
export async function countInvited(ctx: SystemContext, invites: Invites, slice: InvitedSlice): Promise<void> {
  if (!slice) return
  await ctx.ask(imports.countInvites(invites.import_id, slice, ctx.now))
  if (!slice.isLast) await enqueueInvites(ctx, { ...invites, after: slice.to }, PAUSE_SECONDS)
}
