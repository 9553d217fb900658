// The mails in Brazilian Portuguese.

import { roles } from '../roles.ts'
import type { MailTexts, MailWords } from './content.ts'
import { ticketMailsInPortuguese } from './tickets-pt-br.ts'

const IGNORE = 'Se você não pediu isto, pode ignorar esta mensagem: nada muda sem o link.'

const days = (count: number): string => (count === 1 ? '1 dia' : `${count} dias`)

export const mailsInPortuguese = {
  linkFallback: 'Se o botão não funcionar, copie este endereço para o navegador:',
  footer: (brand) => `Enviado automaticamente por ${brand}.`,
  kinds: {
    ...ticketMailsInPortuguese,
    'verify-account': ({ name, expiresAt }, { brand, time }) => ({
      subject: `Confirme seu e-mail em ${brand}`,
      preheader: 'Um clique e sua conta está pronta.',
      heading: `Boas-vindas, ${name}!`,
      paragraphs: [`Sua conta em ${brand} foi criada. Confirme que este e-mail é seu para ativá-la.`],
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
    'email-changed': ({ name, newEmail }, { brand }) => ({
      subject: `Seu e-mail em ${brand} foi alterado`,
      preheader: 'Um aviso para a sua segurança.',
      heading: 'Seu e-mail foi alterado',
      paragraphs: [`Olá, ${name}. Sua conta em ${brand} agora usa outro e-mail; com este não é mais possível entrar.`],
      facts: [{ label: 'Novo e-mail', value: newEmail }],
      button: null,
      notes: ['Se não foi você, fale conosco imediatamente.'],
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
    'quote-sent': ({ organizationName, number, total, currency, validUntil }, { brand, date, money }) => ({
      subject: `Orçamento ${number} de ${brand}: ${money(total, currency)}`,
      preheader: validUntil === null ? `Para ${organizationName}.` : `Válido até ${date(validUntil)}.`,
      heading: `Seu orçamento ${number}`,
      paragraphs: [`${brand} preparou um orçamento para ${organizationName}.`],
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
    'entitlement-expiring': ({ organizationName, name, code, expiresAt, daysLeft }, { time }) => ({
      subject: `${name} vence em ${days(daysLeft)}`,
      preheader: `Para ${organizationName}, em ${time(expiresAt)}.`,
      heading: `${name} vence em ${days(daysLeft)}`,
      paragraphs: [
        `O que ${organizationName} contratou termina em ${time(expiresAt)}, com tudo o que depende disso. Renove a tempo para não interromper o uso.`,
      ],
      facts: [
        { label: 'Produto', value: name },
        { label: 'Código', value: code },
        { label: 'Vencimento', value: time(expiresAt) },
      ],
      button: 'Ver contratação',
      notes: [],
    }),
    'license-expiring': ({ organizationName, name, code, expiresAt, daysLeft }, { time }) => ({
      subject: `A licença de ${name} vence em ${days(daysLeft)}`,
      preheader: `Para ${organizationName}, em ${time(expiresAt)}.`,
      heading: `Sua licença vence em ${days(daysLeft)}`,
      paragraphs: [
        `A licença de ${organizationName} para ${name} termina em ${time(expiresAt)}. A partir daí, a chave é recusada em todos os domínios.`,
      ],
      facts: [
        { label: 'Produto', value: name },
        { label: 'Contratação', value: code },
        { label: 'Vencimento', value: time(expiresAt) },
      ],
      button: 'Ver licença',
      notes: [],
    }),
    'maintenance-scheduled': ({ organizationName, environmentName, startsAt, endsAt, note }, { time }) => ({
      subject: `Manutenção programada: ${environmentName}`,
      preheader: `A partir de ${time(startsAt)}.`,
      heading: 'Manutenção programada',
      paragraphs: [
        `Faremos uma manutenção no ambiente ${environmentName} de ${organizationName}. Ele pode ficar indisponível nesse período.`,
      ],
      facts: maintenanceFacts({ environmentName, startsAt: time(startsAt), endsAt: time(endsAt), note }),
      button: 'Ver ambiente',
      notes: [],
    }),
    'maintenance-changed': ({ organizationName, environmentName, startsAt, endsAt, note }, { time }) => ({
      subject: `Manutenção alterada: ${environmentName}`,
      preheader: `Agora a partir de ${time(startsAt)}.`,
      heading: 'A manutenção programada mudou',
      paragraphs: [`Para o ambiente ${environmentName} de ${organizationName}, agora vale o seguinte:`],
      facts: maintenanceFacts({ environmentName, startsAt: time(startsAt), endsAt: time(endsAt), note }),
      button: 'Ver ambiente',
      notes: [],
    }),
    'maintenance-cancelled': ({ organizationName, environmentName, startsAt, endsAt }, { time }) => ({
      subject: `Manutenção cancelada: ${environmentName}`,
      preheader: `Nada acontece em ${time(startsAt)}.`,
      heading: 'A manutenção foi cancelada',
      paragraphs: [`A manutenção do ambiente ${environmentName} de ${organizationName} foi cancelada.`],
      facts: maintenanceFacts({ environmentName, startsAt: time(startsAt), endsAt: time(endsAt), note: null }),
      button: 'Ver ambiente',
      notes: [],
    }),
    'service-delivered': ({ organizationName, serviceName, note }) => ({
      subject: `Entregue: ${serviceName}`,
      preheader: 'Confira e aceite ou recuse a entrega.',
      heading: 'Seu projeto foi entregue',
      paragraphs: [`${serviceName}, de ${organizationName}, foi entregue. Aceite a entrega ou diga o que falta.`],
      facts: note === null ? [] : [{ label: 'Observação', value: note }],
      button: 'Ver entrega',
      notes: [],
    }),
    'contract-ending': ({ organizationName, title, endDate }, { date }) => ({
      subject: `O contrato “${title}” termina em ${date(endDate)}`,
      preheader: `Para ${organizationName}.`,
      heading: 'Um contrato termina em breve',
      paragraphs: [`O contrato “${title}” com ${organizationName} chega ao fim. Fale conosco se ele deve continuar.`],
      facts: [
        { label: 'Contrato', value: title },
        { label: 'Último dia', value: date(endDate) },
      ],
      button: 'Ver contrato',
      notes: [],
    }),
    'contract-notice': ({ organizationName, title, endDate }, { date }) => ({
      subject: `Contrato “${title}”: hora de decidir`,
      preheader: `Termina em ${date(endDate)}.`,
      heading: 'Começou o prazo de aviso prévio',
      paragraphs: [
        `O contrato “${title}” com ${organizationName} entrou no prazo de aviso prévio. Diga-nos se ele deve ser renovado.`,
      ],
      facts: [
        { label: 'Contrato', value: title },
        { label: 'Último dia', value: date(endDate) },
      ],
      button: 'Ver contrato',
      notes: [],
    }),
  },
} satisfies MailTexts

type MaintenanceTold = { environmentName: string; startsAt: string; endsAt: string; note: string | null }

function maintenanceFacts({ environmentName, startsAt, endsAt, note }: MaintenanceTold): MailWords['facts'] {
  return [
    { label: 'Ambiente', value: environmentName },
    { label: 'Início', value: startsAt },
    { label: 'Fim', value: endsAt },
    ...(note === null ? [] : [{ label: 'Observação', value: note }]),
  ]
}
