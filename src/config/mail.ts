// Outgoing mail: through a mail server, or in the sandbox as files.
import { flag, text } from './readers.ts'
import type { ValuesOf, Variables } from './variable.ts'

export const MAIL = {
  from: {
    name: 'MAIL_FROM',
    meaning: 'Sender of mails',
    sandboxFallback: 'Titular <no-reply@titular.example>',
    read: text,
    required: true,
  },
  smtpUrl: {
    name: 'SMTP_URL',
    meaning: 'Mail server, `smtp://user:password@host:587`; files under DATA_DIR/mail in the sandbox when unset',
    read: text,
    required: true,
    secret: true,
  },
  isChecked: {
    name: 'SMTP_CHECK',
    meaning: 'Sign in to the mail server at the start; `0` starts while it is away',
    fallback: '1',
    read: flag,
  },
} as const satisfies Variables

export type MailChoice =
  | { kind: 'smtp'; from: string; url: string; isChecked: boolean }
  | { kind: 'sandbox'; from: string }

export const mailOf = ({ from, smtpUrl: url, isChecked }: ValuesOf<typeof MAIL>): MailChoice =>
  url === null ? { kind: 'sandbox', from } : { kind: 'smtp', from, url, isChecked }
