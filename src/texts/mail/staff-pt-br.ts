// The mail about roles of staff in Brazilian Portuguese.

import { staffRoles } from '../roles.ts'
import type { MailTexts } from './content.ts'

type StaffMails = Pick<MailTexts['kinds'], 'staff-roles'>

const named = (roles: readonly (keyof (typeof staffRoles)['pt-BR'])[]): string =>
  roles.map((role) => staffRoles['pt-BR'][role]).join(', ') || 'nenhum'

export const staffMailsInPortuguese: StaffMails = {
  'staff-roles': ({ name, isOwn, person, email, before, after, changedBy, changedAt, reason }, { brand, time }) => ({
    subject: isOwn ? `Seus papéis em ${brand} foram alterados` : `${brand}: os papéis de ${person} foram alterados`,
    preheader: `Agora: ${named(after)}.`,
    heading: isOwn ? 'Seus papéis foram alterados' : `Os papéis de ${person} foram alterados`,
    paragraphs: [
      isOwn
        ? `Olá, ${name}. O que você pode fazer como membro da equipe mudou; já está valendo.`
        : `Olá, ${name}. O que ${person} (${email}) pode fazer como membro da equipe mudou; já está valendo.`,
    ],
    facts: [
      { label: 'Antes', value: named(before) },
      { label: 'Agora', value: named(after) },
      { label: 'Alterado por', value: changedBy },
      { label: 'Quando', value: time(changedAt) },
      { label: 'Motivo', value: reason },
    ],
    button: null,
    notes: isOwn
      ? []
      : ['Você recebe este aviso por ser administrador. Se não deveria ser assim, altere imediatamente.'],
  }),
}
