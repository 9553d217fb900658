// The mails about API keys, in Brazilian Portuguese.

import type { MailTexts } from './content.ts'
import type { VendorKeyAct } from './key-contents.ts'

type KeyMails = Pick<MailTexts['kinds'], 'api-key-expiring' | 'vendor-key-expiring' | 'vendor-key-changed'>
type Key = Parameters<KeyMails['vendor-key-expiring']>[0]

const factsOf = (
  { lastFour, endsAt, lastUsedAt, createdBy }: Omit<Key, 'kind' | 'recipient' | 'name'>,
  time: (at: string) => string,
) => [
  { label: 'Chave', value: `…${lastFour}` },
  { label: 'Termina em', value: time(endsAt) },
  { label: 'Último uso', value: lastUsedAt === null ? 'nunca' : time(lastUsedAt) },
  { label: 'Criada por', value: createdBy },
]
const ACTS: Record<VendorKeyAct, string> = {
  created: 'foi criada',
  updated: 'foi alterada',
  rotated: 'recebeu um novo segredo',
  revoked: 'foi revogada',
}

const NOTES = [
  'Se nada mais a usa, revogue a chave ou deixe-a terminar. Caso contrário, dê a ela um prazo maior ou crie uma nova.',
]

export const keyMailsInPortuguese: KeyMails = {
  'api-key-expiring': ({ organizationName, name, ...key }, { time }) => ({
    subject: `A chave de API ${name} de ${organizationName} termina em breve`,
    preheader: `Em ${time(key.endsAt)}.`,
    heading: 'Uma chave de API termina em breve',
    paragraphs: [
      `A chave de API ${name} de ${organizationName} termina em ${time(key.endsAt)}. A partir daí ela é ` +
        'recusada, e o que a usa deixa de funcionar.',
    ],
    facts: factsOf(key, time),
    button: 'Ver chave de API',
    notes: NOTES,
  }),
  'vendor-key-expiring': ({ recipient, name, ...key }, { brand, time }) => ({
    subject: `${brand}: a chave de API ${name} termina em breve`,
    preheader: `Em ${time(key.endsAt)}.`,
    heading: `Uma chave de API de ${brand} termina em breve`,
    paragraphs: [
      `Olá, ${recipient}. A chave de API ${name} de ${brand} termina em ${time(key.endsAt)}. A partir ` +
        'daí ela é recusada, e o que a usa deixa de funcionar.',
    ],
    facts: factsOf(key, time),
    button: null,
    notes: NOTES,
  }),
  'vendor-key-changed': (
    { recipient, act, name, permissions, organizations, changedBy, changedAt },
    { brand, time },
  ) => ({
    subject: `${brand}: a chave de API ${name} ${ACTS[act]}`,
    preheader: `Por ${changedBy}.`,
    heading: `Uma chave de API ${ACTS[act]}`,
    paragraphs: [`Olá, ${recipient}. A chave de API ${name} de ${brand} ${ACTS[act]}.`],
    facts: [
      { label: 'Permissões', value: permissions.join(', ') },
      { label: 'Organizações', value: organizations === null ? 'todas' : String(organizations) },
      { label: 'Alterado por', value: changedBy },
      { label: 'Quando', value: time(changedAt) },
    ],
    button: null,
    notes: ['Você recebe este aviso por ser administrador. Se não deveria ser assim, revogue a chave imediatamente.'],
  }),
}
