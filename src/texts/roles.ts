// The names of the roles in an organization.

import type { RoleName } from '#kernel/access/permissions.ts'
import type { Language } from './language.ts'

/** The roles that an invite can have; `pending` is the role of a collaborator who has not accepted yet. */
export type InviteRole = Exclude<RoleName, 'pending'>

export const roles = {
  'pt-BR': { owner: 'Proprietário', admin: 'Administrador', member: 'Membro', guest: 'Convidado' },
  en: { owner: 'Owner', admin: 'Administrator', member: 'Member', guest: 'Guest' },
} satisfies Record<Language, Record<InviteRole, string>>
