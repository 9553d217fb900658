// A mailbox by IMAP (RFC 9051), under TLS with its certificate checked. What is not marked as read waits; it is marked,
// and moved where a folder is given, once it was taken.
import { ImapFlow } from 'imapflow'
import { hostOf, isLoopback } from '#kernel/network/addresses.ts'
import { type InboundMail, MOST_MAIL_BYTES, takeEach } from '#ports/inbound-mail.ts'

export type ImapOptions = {
  /** `imaps://user:password@host:993/INBOX`, or `imap://` for STARTTLS. */
  url: string
  doneFolder: string | null
  /** Certificates (PEM) to trust instead of the system's. */
  ca?: string
  timeoutMs?: number
}

/** One call takes so many, so that others may be taken meanwhile by another process. */
const MOST_AT_ONCE = 100

export const imapMailbox = (options: ImapOptions): InboundMail => ({
  name: 'imap',
  readRequest: () => ({ kind: 'unsigned', reason: 'Mails are read from a mailbox' }),
  async fetch(take) {
    const { client, folder } = connection(options)
    await client.connect()
    try {
      const lock = await client.getMailboxLock(folder)
      try {
        await fetchAll(client, options, take)
      } finally {
        lock.release()
      }
    } finally {
      await client.logout().catch(() => client.close())
    }
  },
})

async function fetchAll(client: ImapFlow, { doneFolder }: ImapOptions, take: Parameters<InboundMail['fetch']>[0]) {
  const waiting = await client.search({ seen: false, deleted: false }, { uid: true })
  if (!waiting) throw new Error('the mailbox did not say what waits in it')
  await takeEach(waiting.slice(0, MOST_AT_ONCE), async (id) => {
    const uid = String(id)
    // Does not mark it as read.
    const found = await client.fetchOne(uid, { size: true, source: { maxLength: MOST_MAIL_BYTES } }, { uid: true })
    if (!found || !found.source) return
    await take({ bytes: found.source, isCut: (found.size ?? 0) > found.source.length })
    const isMarked = await client.messageFlagsAdd(uid, ['\\Seen'], { uid: true })
    if (!isMarked) throw new Error('the mailbox did not mark a mail as read')
    if (doneFolder !== null && !(await client.messageMove(uid, doneFolder, { uid: true })))
      throw new Error(`the mailbox did not move a mail to ${doneFolder}`)
  })
}

function connection({ url: text, ca, timeoutMs = 30_000 }: ImapOptions) {
  const url = new URL(text)
  const secure = url.protocol === 'imaps:'
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
  const client = new ImapFlow({
    host,
    port: url.port === '' ? (secure ? 993 : 143) : Number(url.port),
    secure,
    // STARTTLS is a must, but on this machine.
    doSTARTTLS: secure ? false : isLoopback(hostOf(`http://${url.host}`)) ? undefined : true,
    auth: { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) },
    tls: { rejectUnauthorized: true, minVersion: 'TLSv1.2', ...(ca !== undefined && { ca }) },
    logger: false,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
  })
  // Without a listener an error of the connection would end the process; the calls throw it too.
  client.on('error', () => {})
  return { client, folder: decodeURIComponent(url.pathname.slice(1)) || 'INBOX' }
}
