// The mails about contacts in Brazilian Portuguese.

import { contactRoles } from '../contacts.ts'
import type { MailTexts } from './content.ts'

type ContactMails = Pick<MailTexts['kinds'], 'contact-confirmation' | 'contacts-changed'>

export const contactMailsInPortuguese: ContactMails = {
  'contact-confirmation': ({ organizationName, roles }, { brand }) => ({
    subject: `Confirme que você é contato de ${organizationName}`,
    preheader: 'Sem isso, você não recebe outros e-mails.',
    heading: `Contato de ${organizationName}`,
    paragraphs: [
      `${organizationName} indicou este endereço como contato em ${brand}. Depois que você confirmar, ` +
        'receberá os e-mails sobre:',
    ],
    facts: roles.map((role) => ({ label: 'Assunto', value: contactRoles['pt-BR'][role] })),
    button: 'Ver e confirmar',
    notes: ['Se você não conhece esta organização, pode ignorar esta mensagem: nada muda sem o link.'],
  }),
  'contacts-changed': ({ organizationName, contacts }) => ({
    subject: `Os contatos de ${organizationName} foram alterados`,
    preheader: 'Quem recebe os e-mails a partir de agora.',
    heading: 'Os contatos foram alterados',
    paragraphs: [
      `Alguém alterou quem recebe os e-mails de ${organizationName}. Um endereço passa a recebê-los no ` +
        'lugar dos membros depois que confirmar que os quer.',
    ],
    facts: contacts.map(({ role, email }) => ({ label: contactRoles['pt-BR'][role], value: email })),
    button: null,
    notes: ['Se não deveria ser assim, remova o contato e veja no registro de auditoria quem o indicou.'],
  }),
}
