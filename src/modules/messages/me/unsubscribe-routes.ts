// The routes behind the link in a mail by which its recipient switches off mails of that kind.
import { open } from '#kernel/values/permissions.ts'
import { route } from '#http/route.ts'
import type { NoticeKind } from './notice-kind.ts'
import { ByUnsubscribeToken, MailedNotice, MailSwitch, noticeBy, switchMail } from './unsubscribe.ts'

const limit = { policy: 'public' } as const

export const unsubscribeRoutes = (kinds: readonly NoticeKind[]) => [
  route({
    method: 'GET',
    path: '/public/notices/{token}',
    access: open,
    purpose: 'Get the kind of notice that the link in a mail switches off.',
    description:
      'The token is the end of the link, and counts as long as the account has the address that the mail ' +
      'went to, or a contact without an account does. Changes nothing.',
    params: ByUnsubscribeToken,
    data: MailedNotice,
    features: { limit },
    before: (io, { params }) => noticeBy(io, kinds, params.token),
    run: async (_ctx, _input, { notice }) => ({ data: notice }),
  }),
  route({
    method: 'PUT',
    path: '/public/notices/{token}',
    access: open,
    purpose: 'Update whether the mails of a kind of notice come, by the link in one of them.',
    description:
      'For its recipient in that organization; entries in the inbox go on. Mandatory mails, and those to ' +
      'contacts without an account for legal matters, have no such link.',
    params: ByUnsubscribeToken,
    body: MailSwitch,
    openapi: { example: { mail: false } },
    data: MailedNotice,
    features: { limit },
    before: (io, { params }) => noticeBy(io, kinds, params.token),
    run: async (ctx, { body }, unsubscribing) => ({
      data: await switchMail(ctx, unsubscribing, body.mail),
      message: 'Preference saved',
    }),
  }),
]
