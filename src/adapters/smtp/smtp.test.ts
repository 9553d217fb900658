// SMTP against a real server: TLS, sign-in, and each kind of failure.

import { createServer, type Socket } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { MailRejected, MailTemporaryFailure } from '#ports/mail.ts'
import { createSmtp, type SmtpOptions } from './smtp.ts'
import { makeCertificate } from '#test/scenes/nfse-certificates.ts'
import { portOf, startSmtpServer, type TestServer } from '#test/stand-ins/smtp.ts'
import type { SMTPServerOptions } from 'smtp-server'

const date = new Date('2026-11-20T12:00:00Z')
const to = 'maria@example.org'
const message = { messageId: 'a@example.com', to, subject: 'Hi', text: 'Hi', html: '<p>Hi</p>', date }
// For 127.0.0.1, self-signed.
const { keyPem: key, certificatePem: cert } = makeCertificate({ name: 'localhost' })
const cleanup: (() => Promise<unknown> | void)[] = []

afterEach(async () => {
  for (const step of cleanup.splice(0).toReversed()) await step()
})

async function serve(options?: SMTPServerOptions): Promise<TestServer> {
  const server = await startSmtpServer(options)
  cleanup.push(() => server.close())
  return server
}

function send(url: string, more: Partial<SmtpOptions> = {}): Promise<void> {
  const mail = createSmtp({ url, from: 'Titular <no-reply@example.com>', ...more })
  cleanup.push(() => mail.close())
  return mail.send(message)
}

function refusal(status: number): Error {
  return Object.assign(new Error('no'), { responseCode: status })
}

/** A server of a few scripted bytes, for behaviour that a correct one never has. */
async function rawServer(greet: (socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    greet(socket)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  cleanup.push(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return `smtp://127.0.0.1:${portOf(server.address())}`
}

describe('TLS', () => {
  const keys = { key, cert, disabledCommands: [] }
  const trusted = { ca: cert }

  it('upgrades by STARTTLS and signs in over it', async () => {
    const server = await serve(keys)
    await send(`smtp://post%40office:p%3Aw@127.0.0.1:${server.port}`, { ...trusted, requireTls: true })
    expect(server.received).toMatchObject([{ secure: true, user: 'post@office' }])
  })

  it('uses TLS from the first byte for smtps', async () => {
    const server = await serve({ ...keys, secure: true })
    await send(`smtps://127.0.0.1:${server.port}`, trusted)
    expect(server.received).toMatchObject([{ secure: true }])
  })

  it.each(['smtp', 'smtps'])('refuses an untrusted certificate (%s)', async (scheme) => {
    const server = await serve({ ...keys, secure: scheme === 'smtps' })
    await expect(send(`${scheme}://127.0.0.1:${server.port}`)).rejects.toThrow(MailTemporaryFailure)
    expect(server.received).toHaveLength(0)
  })

  it('sends nothing unencrypted where TLS is required', async () => {
    const server = await serve({ disabledCommands: ['STARTTLS'] })
    await expect(send(`smtp://127.0.0.1:${server.port}`, { requireTls: true })).rejects.toThrow(MailTemporaryFailure)
    expect(server.received).toHaveLength(0)
  })
})

describe('the answer of the server', () => {
  it.each<[number, typeof MailRejected | typeof MailTemporaryFailure]>([
    [550, MailRejected],
    [553, MailRejected],
    [450, MailTemporaryFailure],
    [451, MailTemporaryFailure],
  ])('%d to the recipient', async (status, expected) => {
    const server = await serve({ onRcptTo: (_address, _session, done) => done(refusal(status)) })
    await expect(send(`smtp://127.0.0.1:${server.port}`)).rejects.toThrow(expected)
  })

  it.each<[number, typeof MailRejected | typeof MailTemporaryFailure]>([
    [554, MailRejected],
    [452, MailTemporaryFailure],
  ])('%d to the content', async (status, expected) => {
    const server = await serve({
      onData: (stream, _session, done) => {
        stream.on('end', () => done(refusal(status))).resume()
      },
    })
    await expect(send(`smtp://127.0.0.1:${server.port}`)).rejects.toThrow(expected)
  })

  it.each<[number, typeof MailRejected | typeof MailTemporaryFailure]>([
    [550, MailRejected],
    [530, MailTemporaryFailure],
    [421, MailTemporaryFailure],
  ])('%d to the sender', async (status, expected) => {
    const server = await serve({ onMailFrom: (_address, _session, done) => done(refusal(status)) })
    await expect(send(`smtp://127.0.0.1:${server.port}`)).rejects.toThrow(expected)
  })

  it('a refused password is a temporary failure', async () => {
    const server = await serve({ onAuth: (_auth, _session, done) => done(refusal(535)), allowInsecureAuth: true })
    await expect(send(`smtp://user:wrong@127.0.0.1:${server.port}`)).rejects.toThrow(MailTemporaryFailure)
  })

  it('no error contains the password', async () => {
    const server = await serve({ onAuth: (_auth, _session, done) => done(refusal(535)), allowInsecureAuth: true })
    const error: unknown = await send(`smtp://user:s3cret-word@127.0.0.1:${server.port}`).catch(
      (thrown: unknown) => thrown,
    )
    expect(error).toBeInstanceOf(Error)
    expect(String(error)).not.toContain('s3cret-word')
    expect(() => createSmtp({ url: 'http://user:s3cret-word@host', from: 'a@example.com' })).toThrow(/^(?!.*s3cret)/)
  })
})

describe('a failed connection is a temporary failure', () => {
  it('when the port is closed', async () => {
    await expect(send('smtp://127.0.0.1:9')).rejects.toThrow(MailTemporaryFailure)
  })

  it('when the server does not answer', async () => {
    await expect(send(await rawServer(() => {}), { timeoutMs: 400 })).rejects.toThrow(MailTemporaryFailure)
  })

  it('when the server refuses the connection with 554', async () => {
    const url = await rawServer((socket) => socket.end('554 no service\r\n'))
    await expect(send(url)).rejects.toThrow(MailTemporaryFailure)
  })

  it('when the connection is lost before the content is acknowledged', async () => {
    const url = await rawServer((socket) => {
      socket.write('220 ready\r\n')
      socket.on('data', (bytes) => {
        const line = bytes.toString()
        if (line.startsWith('DATA')) socket.write('354 go\r\n')
        else if (/^(EHLO|MAIL|RCPT)/.test(line)) socket.write('250 ok\r\n')
        else socket.destroy()
      })
    })
    await expect(send(url)).rejects.toThrow(MailTemporaryFailure)
  })
})

describe('createSmtp', () => {
  it.each(['', 'mail.example.com', 'http://mail.example.com', 'smtp://'])('refuses the server %j', (url) => {
    expect(() => createSmtp({ url, from: 'a@example.com' })).toThrow('smtp://')
  })

  it.each(['', 'Nobody', 'a@example.com, b@example.com'])('refuses the sender %j', (from) => {
    expect(() => createSmtp({ url: 'smtp://127.0.0.1', from })).toThrow('mail address')
  })
})
