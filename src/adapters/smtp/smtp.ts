// Mail through an SMTP server, under TLS with its certificate checked.

import { isIP } from 'node:net'
import { createTransport } from 'nodemailer'
import { MailRejected, MailTemporaryFailure, type Mail } from '#ports/mail.ts'
import { composition, readMailbox } from './message.ts'

export type SmtpOptions = {
  /** `smtp://user:password@host:587` (STARTTLS) or `smtps://user:password@host:465`. */
  url: string
  /** `Name <address>` or an address. */
  from: string
  /** Refuse a server without STARTTLS. Default: true unless the host is this machine. */
  requireTls?: boolean
  /** Certificates (PEM) to trust instead of the system's. */
  ca?: string
  timeoutMs?: number
}

export function createSmtp(options: SmtpOptions): Mail & { check(): Promise<void>; close(): void } {
  const from = readMailbox(options.from)
  const transport = createTransport(connection(options))
  return {
    send: async (message) => {
      const composed = composition(message, from)
      try {
        await transport.sendMail(composed)
      } catch (error) {
        throw failure(error)
      }
    },
    /** Connects, starts TLS and signs in without sending; throws a sentence that says what is wrong. */
    check: async () => {
      try {
        await transport.verify()
      } catch (error) {
        throw new Error(problem(error, readUrl(options.url)), { cause: error })
      }
    },
    close: () => transport.close(),
  }
}

function connection({ url, requireTls, ca, timeoutMs = 10_000 }: SmtpOptions) {
  const server = readUrl(url)
  return {
    host: server.host,
    port: server.port,
    secure: server.secure,
    requireTLS: !server.secure && (requireTls ?? !isLoopback(server.host)),
    tls: { rejectUnauthorized: true, minVersion: 'TLSv1.2' as const, ...(ca === undefined ? {} : { ca }) },
    ...(server.user === '' ? {} : { auth: { user: server.user, pass: server.password } }),
    dnsTimeout: timeoutMs,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
  }
}

function readUrl(text: string) {
  const url = URL.canParse(text) ? new URL(text) : null
  // The URL contains a password, so that no message may repeat it.
  if (!url || (url.protocol !== 'smtp:' && url.protocol !== 'smtps:') || url.hostname === '') {
    throw new Error('the mail server must be given as smtp://… or smtps://…')
  }
  const secure = url.protocol === 'smtps:'
  return {
    secure,
    host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: url.port === '' ? (secure ? 465 : 587) : Number(url.port),
    user: decodeURIComponent(url.username),
    password: decodeURIComponent(url.password),
  }
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'))
}

/**
 * MailRejected only for what the server said about this message: its sender, its recipient, its content. A refused
 * password or connection is temporary: no mail may be lost before the configuration is corrected.
 */
function failure(error: unknown): Error {
  if (!(error instanceof Error)) return new MailTemporaryFailure('the mail server failed')
  const { code, status } = facts(error)
  const aboutMessage = code === 'EENVELOPE' || code === 'EMESSAGE'
  const final = aboutMessage && (status === null || status >= 500) && !SIGN_IN_STATUSES.includes(status ?? 0)
  const summary = `the mail server ${final ? 'refused the message' : 'did not take the message'} (${status ?? code})`
  return final ? new MailRejected(summary, { cause: error }) : new MailTemporaryFailure(summary, { cause: error })
}

function problem(error: unknown, { host, port, user }: ReturnType<typeof readUrl>): string {
  const message = error instanceof Error ? (error.message.split('\n', 1)[0] ?? '') : String(error)
  const { code } = facts(error)
  if (code === 'EAUTH') return `the mail server ${host}:${port} refuses the login ${user}; correct user or password`
  if (code === 'ETLS' || /certificate|self.signed|wrong version number/i.test(message))
    return (
      `the mail server ${host}:${port} offers no TLS that can be trusted (${message}); smtps:// is TLS ` +
      'from the first byte, usually on port 465'
    )
  return (
    `no mail server answers at ${host}:${port} (${message}); correct the address, or set SMTP_CHECK=0 to ` +
    'start without it'
  )
}

/** "Authentication required" and similar, which some servers answer to MAIL FROM. */
const SIGN_IN_STATUSES = [530, 534, 535, 538]

function facts(error: unknown): { code: string; status: number | null } {
  if (!(error instanceof Error)) return { code: 'unknown', status: null }
  return {
    code: 'code' in error && typeof error.code === 'string' ? error.code : 'unknown',
    status: 'responseCode' in error && typeof error.responseCode === 'number' ? error.responseCode : null,
  }
}
