// What the roles of an organization are called.

import type { RoleName } from '#kernel/access/permissions.ts'
import type { Language } from './language.ts'

/** Somebody can be invited as any of these; `pending` is what the invitation itself is. */
export type InviteRole = Exclude<RoleName, 'pending'>

export const roles = {
  'pt-BR': { owner: 'Proprietário', admin: 'Administrador', member: 'Membro', guest: 'Convidado' },
  en: { owner: 'Owner', admin: 'Administrator', member: 'Member', guest: 'Guest' },
} satisfies Record<Language, Record<InviteRole, string>>
