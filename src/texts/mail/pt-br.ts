// The mails in Brazilian Portuguese.

import { roles } from '../roles.ts'
import type { MailTexts } from './content.ts'
import { arrearsMailsInPortuguese } from './arrears-pt-br.ts'
import { contactMailsInPortuguese } from './contacts-pt-br.ts'
import { deliveryMailsInPortuguese } from './delivery-pt-br.ts'
import { financeMailsInPortuguese } from './finances-pt-br.ts'
import { quoteRequestMailsInPortuguese } from './quote-requests-pt-br.ts'
import { securityMailsInPortuguese } from './security-pt-br.ts'
import { keyMailsInPortuguese } from './keys-pt-br.ts'
import { staffMailsInPortuguese } from './staff-pt-br.ts'
import { taxInvoiceMailsInPortuguese } from './tax-invoices-pt-br.ts'
import { ticketMailsInPortuguese } from './tickets-pt-br.ts'

const IGNORE = 'Se você não pediu isto, pode ignorar esta mensagem: nada muda sem o link.'

const CALL_US = 'Se não foi você, fale conosco imediatamente.'
const UNDO =
  'Ele devolve este e-mail à conta, encerra todas as sessões, cancela a senha e as chaves de API e permite ' +
  'que você defina uma nova senha.'

export const mailsInPortuguese = {
  linkFallback: 'Se o botão não funcionar, copie este endereço para o navegador:',
  footer: (brand) => `Enviado automaticamente por ${brand}.`,
  support: 'Ajuda e suporte',
  unsubscribe: 'Não receber mais e-mails deste tipo',
  answerable: 'Responda a este e-mail para comentar no chamado.',
  kinds: {
    ...ticketMailsInPortuguese,
    ...arrearsMailsInPortuguese,
    ...contactMailsInPortuguese,
    ...deliveryMailsInPortuguese,
    ...financeMailsInPortuguese,
    ...taxInvoiceMailsInPortuguese,
    ...quoteRequestMailsInPortuguese,
    ...securityMailsInPortuguese,
    ...keyMailsInPortuguese,
    ...staffMailsInPortuguese,
    'verify-account': ({ name, expiresAt }, { brand, time }) => ({
      subject: `Confirme seu e-mail em ${brand}`,
      preheader: 'Um clique e sua conta está pronta.',
      heading: `Boas-vindas, ${name}!`,
      paragraphs: [
        `Sua conta em ${brand} foi criada. Confirme que este e-mail é seu para ativá-la.`,
        'Informe a senha que você escolheu no cadastro e ela continua valendo. Sem ela, você escolhe uma ' +
          'nova na mesma página.',
      ],
      facts: [],
      button: 'Confirmar e-mail',
      notes: [`O link funciona uma única vez, até ${time(expiresAt)}.`, IGNORE],
    }),
    'set-password': ({ expiresAt }, { brand, time }) => ({
      subject: `Conclua a criação da sua conta em ${brand}`,
      preheader: 'Confirme seu e-mail e defina uma senha.',
      heading: `Boas-vindas a ${brand}!`,
      paragraphs: ['Uma conta foi aberta para este e-mail. Confirme o endereço e depois defina a sua senha.'],
      facts: [],
      button: 'Concluir cadastro',
      notes: [`O link funciona uma única vez, até ${time(expiresAt)}.`, IGNORE],
    }),
    'reset-password': ({ name, expiresAt }, { brand, time }) => ({
      subject: `Redefina sua senha em ${brand}`,
      preheader: 'Defina uma nova senha pelo link desta mensagem.',
      heading: 'Defina uma nova senha',
      paragraphs: [
        `Olá, ${name}. Alguém pediu uma nova senha para a sua conta em ${brand}. Se foi você, defina-a aqui.`,
      ],
      facts: [],
      button: 'Definir nova senha',
      notes: [
        `O link funciona uma única vez, até ${time(expiresAt)}. Depois disso, todas as sessões são encerradas.`,
        IGNORE,
      ],
    }),
    'email-change': ({ name, newEmail, expiresAt }, { brand, time }) => ({
      subject: `Confirme seu novo e-mail em ${brand}`,
      preheader: 'A troca só vale depois da sua confirmação.',
      heading: 'Confirme seu novo e-mail',
      paragraphs: [`Olá, ${name}. Você pediu para usar ${newEmail} na sua conta em ${brand}.`],
      facts: [{ label: 'Novo e-mail', value: newEmail }],
      button: 'Confirmar novo e-mail',
      notes: [
        `O link funciona uma única vez, até ${time(expiresAt)}. Até lá, o e-mail antigo continua valendo.`,
        IGNORE,
      ],
    }),
    'email-change-requested': ({ name, newEmail, expiresAt }, { brand, time }) => ({
      subject: `Pediram a troca do e-mail da sua conta em ${brand}`,
      preheader: 'Se não foi você, impeça a troca.',
      heading: 'Este novo e-mail é seu?',
      paragraphs: [
        `Olá, ${name}. Sua conta em ${brand} vai usar outro e-mail, que passa a valer quando for ` +
          'confirmado por lá. Se foi você, não precisa fazer nada.',
      ],
      facts: [{ label: 'Novo e-mail', value: newEmail }],
      button: 'Não fui eu: manter o meu e-mail',
      notes:
        expiresAt === null ? [CALL_US] : [UNDO, `O link funciona uma única vez, pelo menos até ${time(expiresAt)}.`],
    }),
    'email-changed': ({ name, newEmail, expiresAt }, { brand, time }) => ({
      subject: `Seu e-mail em ${brand} foi alterado`,
      preheader: 'Se não foi você, desfaça a troca.',
      heading: 'Seu e-mail foi alterado',
      paragraphs: [`Olá, ${name}. Sua conta em ${brand} agora usa outro e-mail; com este não é mais possível entrar.`],
      facts: [{ label: 'Novo e-mail', value: newEmail }],
      button: 'Não fui eu: desfazer a troca',
      notes: expiresAt === null ? [CALL_US] : [UNDO, `O link funciona uma única vez, até ${time(expiresAt)}.`],
    }),
    'password-changed': ({ name, changedAt }, { brand, time }) => ({
      subject: `Sua senha em ${brand} foi alterada`,
      preheader: 'Um aviso para a sua segurança.',
      heading: 'Sua senha foi alterada',
      paragraphs: [`Olá, ${name}. A senha da sua conta em ${brand} foi alterada, e todas as sessões foram encerradas.`],
      facts: [{ label: 'Quando', value: time(changedAt) }],
      button: null,
      notes: ['Se não foi você, redefina sua senha imediatamente e fale conosco.'],
    }),
    invite: ({ organizationName, inviterName, role, expiresAt }, { brand, time }) => ({
      subject: `Convite para ${organizationName} em ${brand}`,
      preheader: `Participe de ${organizationName} como ${roles['pt-BR'][role].toLowerCase()}.`,
      heading: `Participe de ${organizationName}`,
      paragraphs: [
        inviterName === null
          ? `Você recebeu um convite para trabalhar com ${organizationName} em ${brand}.`
          : `${inviterName} convida você para trabalhar com ${organizationName} em ${brand}.`,
      ],
      facts: [
        { label: 'Organização', value: organizationName },
        { label: 'Seu papel', value: roles['pt-BR'][role] },
        { label: 'Válido até', value: time(expiresAt) },
      ],
      button: 'Ver convite',
      notes: ['Se você não conhece esta organização, ignore esta mensagem ou recuse o convite.'],
    }),
    'invite-accepted': ({ organizationName, memberName, memberEmail }) => ({
      subject: `${memberName} agora participa de ${organizationName}`,
      preheader: 'Seu convite foi aceito.',
      heading: 'Convite aceito',
      paragraphs: [`${memberName} aceitou o convite e agora participa de ${organizationName}.`],
      facts: [{ label: 'E-mail', value: memberEmail }],
      button: 'Ver equipe',
      notes: [],
    }),
    'membership-expiring': ({ organizationName, memberName, endsAt }, { time }) => ({
      subject: `O acesso de ${memberName} a ${organizationName} termina em breve`,
      preheader: 'Ele pode ser prorrogado antes disso.',
      heading: 'Uma participação termina em breve',
      paragraphs: [`A participação de ${memberName} em ${organizationName} tem prazo, que termina em breve.`],
      facts: [{ label: 'Termina em', value: time(endsAt) }],
      button: 'Ver participação',
      notes: ['O proprietário ou um administrador da organização pode prorrogá-la.'],
    }),
    'quote-sent': ({ organizationName, number, replaces, total, currency, validUntil }, { brand, date, money }) => ({
      subject: `Orçamento ${number} de ${brand}: ${money(total, currency)}`,
      preheader: validUntil === null ? `Para ${organizationName}.` : `Válido até ${date(validUntil)}.`,
      heading: `Seu orçamento ${number}`,
      paragraphs: [
        `${brand} preparou um orçamento para ${organizationName}.`,
        ...(replaces === null ? [] : [`Ele substitui o orçamento ${replaces}, que não pode mais ser aceito.`]),
      ],
      facts: [
        { label: 'Orçamento', value: number },
        { label: 'Total', value: money(total, currency) },
        ...(validUntil === null ? [] : [{ label: 'Válido até', value: date(validUntil) }]),
      ],
      button: 'Ver orçamento',
      notes: ['Nada é cobrado antes do seu aceite.'],
    }),
    'quote-expiring': ({ organizationName, number, total, currency, validUntil }, { date, money }) => ({
      subject: `Orçamento ${number} vale até ${date(validUntil)}`,
      preheader: `Total: ${money(total, currency)}.`,
      heading: `O orçamento ${number} vence em breve`,
      paragraphs: [
        `O orçamento para ${organizationName} ainda não foi aceito. Depois do prazo não será mais possível.`,
      ],
      facts: [
        { label: 'Orçamento', value: number },
        { label: 'Total', value: money(total, currency) },
        { label: 'Válido até', value: date(validUntil) },
      ],
      button: 'Ver orçamento',
      notes: [],
    }),
    'quote-accepted': ({ organizationName, number, total, currency }, { money }) => ({
      subject: `Orçamento ${number} aceito`,
      preheader: `Obrigado. Total: ${money(total, currency)}.`,
      heading: 'Obrigado pelo seu pedido',
      paragraphs: [
        `O orçamento ${number} foi aceito para ${organizationName}. Começamos assim que o pagamento chegar.`,
      ],
      facts: [
        { label: 'Orçamento', value: number },
        { label: 'Total', value: money(total, currency) },
      ],
      button: 'Ver pedido',
      notes: [],
    }),
    'payment-received': ({ organizationName, number, total, currency, paidAt }, { money, time }) => ({
      subject: `Pagamento recebido: ${number}`,
      preheader: `Recebemos ${money(total, currency)}. Obrigado.`,
      heading: 'Pagamento recebido',
      paragraphs: [`Recebemos o pagamento de ${organizationName}. Obrigado!`],
      facts: [
        { label: 'Referência', value: number },
        { label: 'Valor', value: money(total, currency) },
        { label: 'Pago em', value: time(paidAt) },
      ],
      button: 'Ver detalhes',
      notes: [],
    }),
    'quote-fulfilled': ({ organizationName, number, provisioned }) => ({
      subject: `Tudo do orçamento ${number} está pronto`,
      preheader: `Contratações prontas para uso: ${provisioned.length}.`,
      heading: 'Pronto para usar',
      paragraphs: [
        `O que ${organizationName} contratou no orçamento ${number} já está ativo. Guarde os códigos para o suporte:`,
      ],
      facts: provisioned.map(({ name, entitlementCode }) => ({ label: name, value: entitlementCode })),
      button: 'Ver contratações',
      notes: [],
    }),
  },
} satisfies MailTexts
