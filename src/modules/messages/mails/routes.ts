// docs/interface/messages.md, Notices.
import { orgAtLeast, vendor } from '#kernel/values/permissions.ts'
import { route } from '#http/route.ts'
import { ById } from '#kernel/values/schema.ts'
import { type KindToPeople, MailFilters, MailRecord, MailsToPeople, MailToPeople } from './mail-record.ts'
import { mails } from './queries.ts'
import { resendMail } from './resend-mail.ts'

export const mailRoutes = (kinds: readonly KindToPeople[]) => [
  route({
    method: 'GET',
    path: '/mails',
    access: orgAtLeast('admin', 'organization'),
    purpose: 'List the mails to the people of the organization, and what became of each.',
    description:
      'Newest first, without their texts: those to members, and to addresses that were invited or named as ' +
      'contacts. Only of kinds whose records the caller may read. Mails about accounts belong to their ' +
      'persons, and those to the vendor’s staff to the vendor.',
    query: MailsToPeople,
    page: MailToPeople,
    read: ({ org: id }, { query }) => mails.pageToPeople(id, kinds, query),
  }),
  route({
    method: 'GET',
    path: '/admin/mails',
    access: vendor('organization', 'users'),
    purpose: 'List the mails to customers and staff, and what became of each.',
    description: 'The `subject` is null in kinds about records that the caller may not read: it may name amounts.',
    query: MailFilters,
    page: MailRecord,
    features: { limitsOrganizations: true },
    read: ({ organizations: only }, { query }) => mails.page(query, only, kinds),
  }),
  route({
    method: 'GET',
    path: '/admin/mails/{id}',
    access: vendor('organization', 'users'),
    purpose: 'Get a mail, without its text.',
    description: 'The `subject` is null where the caller may not read what the mail is about.',
    params: ById,
    data: MailRecord,
    features: { limitsOrganizations: true },
    read: ({ organizations: only }, { params }) => mails.byId(params.id, only, kinds),
  }),
  route({
    method: 'POST',
    path: '/admin/mails/{id}/resend',
    access: vendor('jobs'),
    purpose: 'Send a mail again, as it would be written today.',
    description:
      'To the same recipient, if they may still get it; else the new one is `dropped`. 409 for a mail about ' +
      'an account, which the person asks for themselves, and while the mail is still being sent.',
    params: ById,
    data: MailRecord,
    status: 202,
    fails: ['already_in_progress', 'mail_of_account'],
    run: async (ctx, { params }) => ({ data: await resendMail(ctx, params.id), message: 'The mail is being sent' }),
  }),
]
