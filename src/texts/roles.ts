// The names of the roles in an organization, and of those of the vendor's staff.

import type { StaffRoleName } from '#kernel/values/staff-roles.ts'
import type { RoleName } from '#kernel/values/permissions.ts'
import type { Language } from './language.ts'

/** The roles that an invite can have; `pending` is the role of a collaborator who has not accepted yet. */
export type InviteRole = Exclude<RoleName, 'pending'>

export const roles = {
  'pt-BR': { owner: 'Proprietário', admin: 'Administrador', member: 'Membro', guest: 'Convidado' },
  en: { owner: 'Owner', admin: 'Administrator', member: 'Member', guest: 'Guest' },
} satisfies Record<Language, Record<InviteRole, string>>

export const staffRoles = {
  'pt-BR': {
    support: 'Suporte',
    sales: 'Vendas',
    finance: 'Financeiro',
    operations: 'Operações',
    administrator: 'Administrador',
    auditor: 'Auditor',
  },
  en: {
    support: 'Support',
    sales: 'Sales',
    finance: 'Finance',
    operations: 'Operations',
    administrator: 'Administrator',
    auditor: 'Auditor',
  },
} satisfies Record<Language, Record<StaffRoleName, string>>
