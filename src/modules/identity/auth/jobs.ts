// The jobs of accounts: their mails, and the daily removal of expired sessions, tokens and devices.
import { type IoContext, one } from '#kernel/data/context.ts'
import { expiredStatement } from '#kernel/data/idempotency.ts'
import { jobKind } from '#kernel/data/job-kinds.ts'
import { type JobInput, systemJob } from '#kernel/jobs/jobs.ts'
import { sql } from '#kernel/values/sql.ts'
import { sendMail } from '#modules/messages/notifications/send-mail.ts'
import { readingOf, settingOf } from '#ports/settings-in-force.ts'
import { type MailContent, SECURITY_NOTICES, type SecurityNotice } from '#texts/mail/content.ts'
import { addresseeOf } from './addressee.ts'
import { addressUndos, undoToken } from './address-undos.ts'
import { knownAddresses } from './sessions/known-devices.ts'
import { mailEmailChanged, mailEmailChangeRequested, mailPasswordChanged, mailToken } from './mailed-tokens.ts'
import { endingLink, mailNewSignIn } from './sessions/new-sign-in.ts'
import { deviceSignIns } from './devices/device-sign-ins.ts'
import { passkeyChallenges } from './passkeys/passkeys.ts'
import { mailSecurityNotice } from './security-notices.ts'
import { codeAttempts, signInChallenges } from './second-factors/second-factors.ts'
import { sessions } from './sessions/sessions.ts'
import { type MailedToken, tokenOf, userTokens } from './sessions/user-tokens.ts'
import { type Account, users } from './users.ts'

const DAY = 86_400

const removeExpired = jobKind('auth/remove-over', {})

export const authJobs = [
  systemJob(mailToken, { before: mailLiveToken }),
  systemJob(mailPasswordChanged, {
    before: (io, job) =>
      mailNotice(io, job, async ({ name, email }, { at }) => ({
        to: email,
        content: { kind: 'password-changed', name, changedAt: at },
      })),
  }),
  systemJob(mailSecurityNotice, {
    before: (io, job) =>
      mailNotice(io, job, async ({ name, email }, { at, action }) => ({
        to: email,
        content: { kind: 'security-notice', name, notice: securityNoticeIn(action), at },
      })),
  }),
  systemJob(mailNewSignIn, {
    before: (io, job) =>
      mailNotice(io, job, async (account, { at, ip, details }) => {
        const { new_device: device = null, signed_in_by: by } = details
        const mailed = await settingOf(readingOf(io), 'vendor', 'new_device_mails')
        if (mailed === 'none' || (mailed === 'not_sso' && by === 'sso')) return null
        const content = {
          kind: 'new-sign-in',
          name: account.name,
          device: typeof device === 'string' ? device : null,
          ip,
          at,
          ...endingLink(io.ports, account, new Date(at)),
        } as const
        return { to: account.email, content }
      }),
  }),
  systemJob(mailEmailChanged, {
    before: (io, job) =>
      mailNotice(io, job, async ({ name }, { details }) => ({
        to: String(details['from']),
        content: {
          kind: 'email-changed',
          name,
          newEmail: String(details['to']),
          ...(await undoLink(io, details)),
        },
      })),
  }),
  systemJob(mailEmailChangeRequested, {
    before: (io, job) =>
      mailNotice(io, job, async ({ name }, { details }) => ({
        to: String(details['from']),
        content: {
          kind: 'email-change-requested',
          name,
          newEmail: String(details['email']),
          ...(await undoLink(io, details)),
        },
      })),
  }),
  systemJob(removeExpired, {
    everySeconds: DAY,
    run: async (ctx) => {
      await ctx.ask(sessions.removeOver(ctx.now))
      await ctx.ask(sessions.removeOverTokens(ctx.now))
      await ctx.ask(userTokens.removeOver(ctx.now))
      await ctx.ask(addressUndos.removeOver(ctx.now))
      await ctx.ask(knownAddresses.removeOver(ctx.now))
      await ctx.ask(signInChallenges.removeOver(ctx.now))
      await ctx.ask(codeAttempts.removeOver(ctx.now))
      await ctx.ask(passkeyChallenges.removeOver(ctx.now))
      await ctx.ask(deviceSignIns.removeOver(ctx.now))
      await ctx.ask(expiredStatement(ctx.now))
    },
  }),
]

/** Sends nothing when the token was used or replaced meanwhile. */
async function mailLiveToken(io: IoContext, job: JobInput<{ user_token_id: number | null }>): Promise<void> {
  const { user_token_id: id } = job.payload
  if (id === null) return
  const [token] = await io.read(userTokens.byId(id, io.now))
  if (token) await sendMail(io, job, await addresseeOf(io, { ...token, id: token.user_id }), contentOf(io, token))
}

function contentOf({ ports }: IoContext, token: MailedToken): MailContent {
  const { purpose, email, name } = token
  const secret = tokenOf(ports.secretKey, token)
  const { publicUrl } = ports.settings
  const common = { name, expiresAt: token.expires_at }
  const verify = `${publicUrl}/verify-account?${new URLSearchParams({ email, token: secret }).toString()}`
  if (purpose === 'email_change') return { kind: 'email-change', ...common, newEmail: email, link: verify }
  if (purpose === 'verify')
    return { kind: token.password_hash === null ? 'set-password' : 'verify-account', ...common, link: verify }
  const reset = `${publicUrl}/reset-password?${new URLSearchParams({ email, key: secret }).toString()}`
  return { kind: 'reset-password', ...common, link: reset }
}

type Entry = { at: string; action: string; resource_id: number; ip: string | null; details: Record<string, unknown> }
/** Null: it is not mailed. */
type Notice = (account: Account, entry: Entry) => Promise<{ to: string; content: MailContent } | null>

/** Mails a notice about an entry of the service's audit log. */
async function mailNotice(io: IoContext, job: JobInput<{ entry_id: number }>, noticeOf: Notice): Promise<void> {
  const ask = { ask: io.read }
  const entry = await one(
    ask,
    sql<Entry>`select at, action, resource_id, ip, details from service_audit where id = ${job.payload.entry_id}`,
  )
  const [account] = await io.read(users.byId(entry.resource_id))
  if (!account) return
  const notice = await noticeOf(account, entry)
  if (!notice) return
  const { to, content } = notice
  await sendMail(io, job, await addresseeOf(io, { ...account, email: to }), content)
}

function securityNoticeIn(action: string): SecurityNotice {
  const notice = SECURITY_NOTICES.find((known) => known === action)
  if (!notice) throw new Error(`no mail tells of ${action}`)
  return notice
}

/** Nulls when the change is undone or can no longer be undone: the notice then has no link. */
async function undoLink(
  { read, now, ports }: IoContext,
  { undo_id: id }: Entry['details'],
): Promise<{ link: string | null; expiresAt: string | null }> {
  const [undo] = typeof id === 'number' ? await read(addressUndos.byId(id, now)) : []
  if (!undo) return { link: null, expiresAt: null }
  const query = new URLSearchParams({ email: undo.email, token: undoToken(ports.secretKey, undo) }).toString()
  return { link: `${ports.settings.publicUrl}/undo-email-change?${query}`, expiresAt: undo.expires_at }
}
