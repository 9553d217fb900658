// The mails about environments, services, contracts, entitlements and licenses, in Brazilian Portuguese.

import type { MailTexts, MailWords } from './content.ts'

type DeliveryMails = Pick<
  MailTexts['kinds'],
  | 'entitlement-expiring'
  | 'license-expiring'
  | 'maintenance-scheduled'
  | 'maintenance-changed'
  | 'maintenance-cancelled'
  | 'service-delivered'
  | 'contract-ending'
  | 'contract-notice'
  | 'webhook-endpoint-disabled'
>

const days = (count: number): string => (count === 1 ? '1 dia' : `${count} dias`)

export const deliveryMailsInPortuguese: DeliveryMails = {
  'entitlement-expiring': ({ organizationName, name, code, expiresAt, daysLeft }, { time }) => ({
    subject: `${name} vence em ${days(daysLeft)}`,
    preheader: `Para ${organizationName}, em ${time(expiresAt)}.`,
    heading: `${name} vence em ${days(daysLeft)}`,
    paragraphs: [
      `O que ${organizationName} contratou termina em ${time(expiresAt)}, com tudo o que depende disso. ` +
        'Renove a tempo para não interromper o uso.',
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
      `A licença de ${organizationName} para ${name} termina em ${time(expiresAt)}. A partir daí, a ` +
        'chave é recusada em todos os domínios.',
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
      `Faremos uma manutenção no ambiente ${environmentName} de ${organizationName}. Ele pode ficar ` +
        'indisponível nesse período.',
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
      `O contrato “${title}” com ${organizationName} entrou no prazo de aviso prévio. Diga-nos se ele ` +
        'deve ser renovado.',
    ],
    facts: [
      { label: 'Contrato', value: title },
      { label: 'Último dia', value: date(endDate) },
    ],
    button: 'Ver contrato',
    notes: [],
  }),
  'webhook-endpoint-disabled': ({ organizationName, address, reason, failingSince }, { time }) => ({
    subject: 'Um endpoint de webhooks foi desativado',
    preheader: `${organizationName}: os eventos não são mais enviados a ${address}.`,
    heading: 'Um endpoint de webhooks foi desativado',
    paragraphs: [
      `Os eventos de ${organizationName} não são mais enviados a ${address}.`,
      {
        gone: 'Ele respondeu com o status 410, que informa que deixou de existir.',
        failing: 'Há dias nenhuma entrega é concluída.',
        not_a_member: 'Quem o configurou não é mais colaborador, de modo que nenhuma permissão se aplica a ele.',
      }[reason],
      'Um administrador pode ativá-lo novamente. Ele então recebe os eventos a partir desse momento; os que ' +
        'perdeu podem ser reenviados.',
    ],
    facts: [
      { label: 'Endereço', value: address },
      ...(failingSince === null ? [] : [{ label: 'Falhando desde', value: time(failingSince) }]),
    ],
    button: 'Ver endpoint',
    notes: [],
  }),
}

type Maintenance = { environmentName: string; startsAt: string; endsAt: string; note: string | null }

function maintenanceFacts({ environmentName, startsAt, endsAt, note }: Maintenance): MailWords['facts'] {
  return [
    { label: 'Ambiente', value: environmentName },
    { label: 'Início', value: startsAt },
    { label: 'Fim', value: endsAt },
    ...(note === null ? [] : [{ label: 'Observação', value: note }]),
  ]
}
