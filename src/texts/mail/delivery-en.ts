// The mails about environments, services, contracts, entitlements and licenses, in English.

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

const days = (count: number): string => (count === 1 ? '1 day' : `${count} days`)

export const deliveryMailsInEnglish: DeliveryMails = {
  'entitlement-expiring': ({ organizationName, name, code, expiresAt, daysLeft }, { time }) => ({
    subject: `${name} expires in ${days(daysLeft)}`,
    preheader: `For ${organizationName}, on ${time(expiresAt)}.`,
    heading: `${name} expires in ${days(daysLeft)}`,
    paragraphs: [
      `What ${organizationName} has bought ends on ${time(expiresAt)}, with everything that belongs to ` +
        'it. Renew it in time to keep it running.',
    ],
    facts: [
      { label: 'Product', value: name },
      { label: 'Code', value: code },
      { label: 'Expires', value: time(expiresAt) },
    ],
    button: 'View entitlement',
    notes: [],
  }),
  'license-expiring': ({ organizationName, name, code, expiresAt, daysLeft }, { time }) => ({
    subject: `License for ${name} expires in ${days(daysLeft)}`,
    preheader: `For ${organizationName}, on ${time(expiresAt)}.`,
    heading: `Your license expires in ${days(daysLeft)}`,
    paragraphs: [
      `The license of ${organizationName} for ${name} ends on ${time(expiresAt)}. From then on its key ` +
        'is refused on every domain.',
    ],
    facts: [
      { label: 'Product', value: name },
      { label: 'Entitlement', value: code },
      { label: 'Expires', value: time(expiresAt) },
    ],
    button: 'View license',
    notes: [],
  }),
  'maintenance-scheduled': ({ organizationName, environmentName, startsAt, endsAt, note }, { time }) => ({
    subject: `Planned maintenance: ${environmentName}`,
    preheader: `From ${time(startsAt)}.`,
    heading: 'Planned maintenance',
    paragraphs: [
      `We will work on the environment ${environmentName} of ${organizationName}. It may be unavailable meanwhile.`,
    ],
    facts: maintenanceFacts({ environmentName, startsAt: time(startsAt), endsAt: time(endsAt), note }),
    button: 'View environment',
    notes: [],
  }),
  'maintenance-changed': ({ organizationName, environmentName, startsAt, endsAt, note }, { time }) => ({
    subject: `Maintenance changed: ${environmentName}`,
    preheader: `Now from ${time(startsAt)}.`,
    heading: 'The planned maintenance has changed',
    paragraphs: [`For the environment ${environmentName} of ${organizationName} this is what counts now:`],
    facts: maintenanceFacts({ environmentName, startsAt: time(startsAt), endsAt: time(endsAt), note }),
    button: 'View environment',
    notes: [],
  }),
  'maintenance-cancelled': ({ organizationName, environmentName, startsAt, endsAt }, { time }) => ({
    subject: `Maintenance cancelled: ${environmentName}`,
    preheader: `Nothing happens on ${time(startsAt)}.`,
    heading: 'The maintenance was cancelled',
    paragraphs: [`The maintenance of the environment ${environmentName} of ${organizationName} was cancelled.`],
    facts: maintenanceFacts({ environmentName, startsAt: time(startsAt), endsAt: time(endsAt), note: null }),
    button: 'View environment',
    notes: [],
  }),
  'service-delivered': ({ organizationName, serviceName, note }) => ({
    subject: `Delivered: ${serviceName}`,
    preheader: 'Please look at it, and accept or refuse the delivery.',
    heading: 'Your project has been delivered',
    paragraphs: [
      `${serviceName} for ${organizationName} has been delivered. Please accept the delivery, or say what is missing.`,
    ],
    facts: note === null ? [] : [{ label: 'Note', value: note }],
    button: 'View delivery',
    notes: [],
  }),
  'contract-ending': ({ organizationName, title, endDate }, { date }) => ({
    subject: `Contract “${title}” ends on ${date(endDate)}`,
    preheader: `For ${organizationName}.`,
    heading: 'A contract ends soon',
    paragraphs: [`The contract “${title}” with ${organizationName} ends. Talk to us if it is to go on.`],
    facts: [
      { label: 'Contract', value: title },
      { label: 'Last day', value: date(endDate) },
    ],
    button: 'View contract',
    notes: [],
  }),
  'contract-notice': ({ organizationName, title, endDate }, { date }) => ({
    subject: `Contract “${title}”: time to decide`,
    preheader: `It ends on ${date(endDate)}.`,
    heading: 'The notice window has opened',
    paragraphs: [
      `The contract “${title}” with ${organizationName} has entered its notice window. Tell us whether ` +
        'it is to be renewed.',
    ],
    facts: [
      { label: 'Contract', value: title },
      { label: 'Last day', value: date(endDate) },
    ],
    button: 'View contract',
    notes: [],
  }),
  'webhook-endpoint-disabled': ({ organizationName, address, reason, failingSince }, { time }) => ({
    subject: 'A webhook endpoint was disabled',
    preheader: `${organizationName}: events are no longer sent to ${address}.`,
    heading: 'A webhook endpoint was disabled',
    paragraphs: [
      `Events of ${organizationName} are no longer sent to ${address}.`,
      {
        gone: 'It answered with the status 410, which says that it is gone for good.',
        failing: 'For days no delivery has succeeded.',
        not_a_member: 'Whoever set it up is no longer a collaborator, so that nobody’s permissions apply to it.',
      }[reason],
      'An administrator can activate it again. It then gets the events that happen from that moment on; ' +
        'those that it missed can be redelivered.',
    ],
    facts: [
      { label: 'Address', value: address },
      ...(failingSince === null ? [] : [{ label: 'Failing since', value: time(failingSince) }]),
    ],
    button: 'View endpoint',
    notes: [],
  }),
}

type Maintenance = { environmentName: string; startsAt: string; endsAt: string; note: string | null }

function maintenanceFacts({ environmentName, startsAt, endsAt, note }: Maintenance): MailWords['facts'] {
  return [
    { label: 'Environment', value: environmentName },
    { label: 'Start', value: startsAt },
    { label: 'End', value: endsAt },
    ...(note === null ? [] : [{ label: 'Note', value: note }]),
  ]
}
