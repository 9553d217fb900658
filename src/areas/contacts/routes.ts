// docs/interface.md, Contacts.
import { Type } from 'typebox'
import { inPath, org, orgAtLeast } from '#kernel/access/permissions.ts'
import { parts, route } from '#kernel/http/route.ts'
import { ById } from '#kernel/values/schema.ts'
import { ByContact, Contact, Contacts, NewContact } from './contact.ts'
import { contactRules, nameContact, removeContact } from './name-contact.ts'
import { contacts } from './queries.ts'

export const contactRoutes = [
  route({
    method: 'GET',
    path: '/organizations/{id}/contacts',
    access: inPath(org('organization')),
    purpose: 'List whom the organization has named for billing, technical and legal matters.',
    description:
      'Where a subject has contacts who get mail, its notices go to them; otherwise to the members with the scope.',
    params: ById,
    data: Contacts,
    read: ({ org: id, realNow }) => parts([contacts.all(id, realNow)], ([all]) => ({ contacts: all })),
  }),
  route({
    method: 'POST',
    path: '/organizations/{id}/contacts',
    operationId: 'nameContact',
    access: inPath(orgAtLeast('admin', 'organization')),
    purpose: 'Name a contact of the organization.',
    description:
      'A collaborator, or an address without an account, which is mailed once the organization is verified. Needs the scope of the mails too: `billing` finances, `technical` entitlements and licenses, `legal` contracts.',
    params: ById,
    body: NewContact,
    rules: contactRules,
    example: { role: 'billing', email: 'contas@padaria.example', name: 'Contas a pagar' },
    data: Contact,
    status: 201,
    fails: ['CONFLICT'],
    run: async (ctx, { body }) => ({ data: await nameContact(ctx, body), message: 'Contact named' }),
  }),
  route({
    method: 'DELETE',
    path: '/organizations/{id}/contacts/{contact_id}',
    access: inPath(orgAtLeast('admin', 'organization')),
    purpose: 'Remove a contact of the organization.',
    description: 'Needs the scope of its role, as naming one does.',
    params: ByContact,
    data: Type.Null(),
    run: async (ctx, { params }) => {
      await removeContact(ctx, params.contact_id)
      return { data: null, message: 'Contact removed' }
    },
  }),
]
