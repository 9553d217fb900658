// The mailbox by IMAP, against a stand-in over TCP: the contract, and what is done to the mails there.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { makeCertificate } from '#test/scenes/nfse-certificates.ts'
import { mailboxContract } from '#ports/inbound-mail.contract.ts'
import { startMailbox, type TestMailbox } from '#test/stand-ins/imap.ts'
import { imapMailbox } from './imap.ts'

mailboxContract('IMAP', async () => {
  const server = await startMailbox()
  const mailbox = imapMailbox({ url: server.url, doneFolder: null })
  return { mailbox, put: server.put, close: server.close }
})

describe('a mailbox by IMAP', () => {
  let server: TestMailbox
  beforeEach(async () => {
    server = await startMailbox()
  })
  afterEach(() => server.close())

  const flagsIn = (folder: string) => (server.folders.get(folder) ?? []).map(({ uid, flags }) => [uid, ...flags])
  const fetched = async (doneFolder: string | null, url = server.url): Promise<string[]> => {
    const found: string[] = []
    await imapMailbox({ url, doneFolder, timeoutMs: 2000 }).fetch(async ({ bytes }) => {
      // Nothing is changed there before it was taken.
      expect(flagsIn('INBOX')).toContainEqual([found.length + 1])
      found.push(bytes.toString())
    })
    return found
  }

  it('marks as read what was taken, and moves it where a folder is given', async () => {
    for (const text of ['one', 'two']) server.put(Buffer.from(text))
    server.put(Buffer.from('read by somebody'), ['\\Seen'])
    expect(await fetched('Done')).toEqual(['one', 'two'])
    expect(flagsIn('Done')).toEqual([
      [1, '\\Seen'],
      [2, '\\Seen'],
    ])
    expect(flagsIn('INBOX')).toEqual([[3, '\\Seen']])
    server.put(Buffer.from('four'))
    expect(server.commands.at(-1)).toBe('LOGOUT')
  })
  it('leaves it there without a folder, and fails where the folder is none, after it was marked', async () => {
    server.put(Buffer.from('one'))
    await expect(fetched('Nowhere')).rejects.toThrow(/./)
    expect(flagsIn('INBOX')).toEqual([[1, '\\Seen']])
    expect(await fetched(null)).toEqual([])
  })
  it('throws when it may not sign in, or the connection ends, and changes nothing', async () => {
    server.put(Buffer.from('one'))
    const wrong = server.url.replace('p%40ss', 'wrong')
    const failure = await fetched(null, wrong).catch((error: unknown) => error)
    expect(String(failure)).not.toContain('wrong')
    expect(failure).toBeInstanceOf(Error)
    for (const command of [/^UID SEARCH/, /^UID FETCH/, /^UID STORE/]) {
      server.breakAt(command)
      await expect(fetched(null)).rejects.toThrow(/./)
    }
    server.breakAt(null)
    expect(flagsIn('INBOX')).toEqual([[1]])
    expect(await fetched(null)).toEqual(['one'])
  })
  it('reads under TLS with a certificate that it trusts, and tells no password to another server', async () => {
    const { keyPem: key, certificatePem: cert } = makeCertificate({ name: 'localhost' })
    const secure = await startMailbox({ key, cert })
    secure.put(Buffer.from('one'))
    const found: string[] = []
    const take = async ({ bytes }: { bytes: Buffer }) => void found.push(bytes.toString())
    await expect(imapMailbox({ url: secure.url, doneFolder: null, timeoutMs: 2000 }).fetch(take)).rejects.toThrow(/./)
    expect(secure.commands).toEqual([])
    await imapMailbox({ url: secure.url, doneFolder: null, ca: cert }).fetch(take)
    expect(found).toEqual(['one'])
    await secure.close()
  })
  it('signs in to no server elsewhere that offers no TLS', async () => {
    // An address of this machine that is no loopback address.
    const elsewhere = server.url.replace('127.0.0.1', '0.0.0.0')
    server.put(Buffer.from('one'))
    await expect(fetched(null, elsewhere)).rejects.toThrow(/./)
    expect(server.commands).not.toContain('LOGIN')
  })
})
