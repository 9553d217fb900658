// docs/interface.md, Mails.
import { vendor } from '#kernel/access/permissions.ts'
import { route } from '#kernel/http/route.ts'
import { ById } from '#kernel/values/schema.ts'
import { MailFilters, MailRecord } from './mail-record.ts'
import { mails } from './queries.ts'
import { resendMail } from './resend-mail.ts'

export const mailRoutes = [
  route({
    method: 'GET',
    path: '/admin/mails',
    access: vendor('organization', 'users'),
    purpose: 'List the mails to customers and staff, and what became of each.',
    query: MailFilters,
    page: MailRecord,
    limitsOrganizations: true,
    read: ({ organizations: only }, { query }) => mails.page(query, only),
  }),
  route({
    method: 'GET',
    path: '/admin/mails/{id}',
    access: vendor('organization', 'users'),
    purpose: 'Get a mail, without its text.',
    params: ById,
    data: MailRecord,
    read: (_, { params }) => mails.byId(params.id),
  }),
  route({
    method: 'POST',
    path: '/admin/mails/{id}/resend',
    access: vendor('jobs'),
    purpose: 'Send a mail again, as it would be written today.',
    description:
      'To the same recipient, if they may still get it; else the new one is `dropped`. 409 for a mail about an account, which the person asks for themselves, and while the mail is still being sent.',
    params: ById,
    data: MailRecord,
    status: 202,
    fails: ['CONFLICT'],
    run: async (ctx, { params }) => ({ data: await resendMail(ctx, params.id), message: 'The mail is being sent' }),
  }),
]
