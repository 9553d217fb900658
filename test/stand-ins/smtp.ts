// A real SMTP server for tests: stores the messages, parsed by another library than the one that wrote them.

import type { AddressInfo } from 'node:net'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer, type SMTPServerOptions, type SMTPServerSession } from 'smtp-server'

export type Received = { recipients: string[]; secure: boolean; user: string | null; mail: Email }

export type TestServer = { port: number; received: Received[]; close(): Promise<void> }

export async function startSmtpServer(options: SMTPServerOptions = {}): Promise<TestServer> {
  const received: Received[] = []
  const server = new SMTPServer({
    disableReverseLookup: true,
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    closeTimeout: 100,
    onAuth: ({ username }, _session, done) => done(null, { user: username }),
    onData: (stream, session, done) => {
      void keep(received, stream, session).finally(done)
    },
    ...options,
  })
  // Broken connections are part of the tests; without a listener for errors they would end the process.
  server.on('error', () => {})
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: portOf(server.server.address()),
    received,
    close: () => new Promise<void>((resolve) => server.close(resolve)),
  }
}

async function keep(received: Received[], stream: Readable, session: SMTPServerSession): Promise<void> {
  const mail = await PostalMime.parse(await buffer(stream))
  const recipients = session.envelope.rcptTo.map(({ address }) => address)
  received.push({ recipients, secure: session.secure, user: session.user ?? null, mail })
}

export function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === 'string') throw new Error('not listening on a port')
  return address.port
}
