// docs/interface/messages.md, Notices.
import { Type } from 'typebox'
import { inPath, open, org, orgAtLeast } from '#kernel/values/permissions.ts'
import { parts, route } from '#http/route.ts'
import { ById } from '#kernel/values/schema.ts'
import { askedBy, confirmContact } from './confirm-contact.ts'
import { AskedContact, ByContact, ByContactToken, Contact, Contacts, NewContact } from './contact.ts'
import { contactRules, nameContact, removeContact } from './name-contact.ts'
import { contacts } from './queries.ts'

export const contactRoutes = [
  route({
    method: 'GET',
    path: '/organizations/{id}/contacts',
    access: inPath(org('organization')),
    purpose: 'Get whom the organization has named for billing, technical and legal matters.',
    description:
      'Where a subject has contacts who get mail, its notices go to them; otherwise to the members with the scope.',
    params: ById,
    data: Contacts,
    read: (asked) => parts([contacts.all(asked.org, asked)], ([all]) => ({ contacts: all })),
  }),
  route({
    method: 'POST',
    path: '/organizations/{id}/contacts',
    access: inPath(orgAtLeast('admin', 'organization')),
    purpose: 'Name a contact of the organization.',
    description:
      'A collaborator, or an address without an account, which is mailed once the organization is verified. ' +
      'It is asked by a mail whether it wants to be one, unless it is a member with a verified account and ' +
      'the scopes of the mails; until it has confirmed, they go to the members with the scope. The owner is ' +
      'told. Needs the scope of the mails too: `billing` finances, `technical` entitlements and licenses, ' +
      '`legal` contracts.',
    params: ById,
    body: NewContact,
    rules: contactRules,
    openapi: {
      example: { role: 'billing', email: 'contas@padaria.example', name: 'Contas a pagar' },
    },
    data: Contact,
    status: 201,
    fails: ['already_named', 'limit_reached'],
    run: async (ctx, { body }) => ({ data: await nameContact(ctx, body), message: 'Contact named' }),
  }),
  route({
    method: 'DELETE',
    path: '/organizations/{id}/contacts/{contact_id}',
    access: inPath(orgAtLeast('admin', 'organization')),
    purpose: 'Delete a contact of the organization.',
    description: 'Needs the scope of its role, as naming one does.',
    params: ByContact,
    data: Type.Null(),
    run: async (ctx, { params }) => {
      await removeContact(ctx, params.contact_id)
      return { data: null, message: 'Contact removed' }
    },
  }),
  route({
    method: 'GET',
    path: '/public/contacts/{token}',
    access: open,
    purpose: 'Get what an organization has named an address for, by the link in the mail to it.',
    description: 'The token is the end of the link, and counts as long as the address is a contact. Changes nothing.',
    params: ByContactToken,
    data: AskedContact,
    features: { limit: { policy: 'public' } },
    before: (io, { params }) => askedBy(io, params.token),
    run: async (_ctx, _input, { asked }) => ({ data: asked }),
  }),
  route({
    method: 'POST',
    path: '/public/contacts/{token}/confirm',
    access: open,
    purpose: 'Confirm a contact by the link in the mail to its address.',
    description:
      'From then on it gets the mails of its roles in place of the members with the scope, also of roles ' +
      'that it is named for later.',
    params: ByContactToken,
    data: AskedContact,
    features: { limit: { policy: 'public' } },
    before: (io, { params }) => askedBy(io, params.token),
    run: async (ctx, _input, answering) => ({
      data: await confirmContact(ctx, answering),
      message: 'Contact confirmed',
    }),
  }),
]
