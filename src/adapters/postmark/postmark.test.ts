// Requests of Postmark for inbound mails: whose they are, and what is read of them.
import { describe, expect, it } from 'vitest'
import { postmarkInbound } from './postmark.ts'

const SECRETS = ['the-old-secret-of-16', 'the-new-secret-of-16']
const { readRequest, fetch } = postmarkInbound({ webhookSecrets: SECRETS })
const basic = (password: string, user = 'postmark') => ({
  authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`,
})
const RAW = 'From: ana@acme.example\r\nTo: support@vendor.example\r\n\r\nAção 🙂\r\n'
const body = Buffer.from(JSON.stringify({ FromName: 'Ana', MessageID: '22c74902', RawEmail: RAW, Attachments: [] }))

describe('readRequest', () => {
  it('gives the mail for each of the secrets', () => {
    for (const secret of SECRETS)
      expect(readRequest(basic(secret), body)).toEqual({
        kind: 'mail',
        mail: { bytes: Buffer.from(RAW), isCut: false },
      })
    expect(readRequest(basic('the-new-secret-of-16', 'a:b'), body).kind).toBe('unsigned')
  })
  it.each([
    {},
    { authorization: '' },
    { authorization: 'Basic' },
    { authorization: 'Basic ===' },
    { authorization: 'Bearer the-new-secret-of-16' },
    basic(''),
    basic('the-new-secret-of-17'),
    basic('the-new-secret-of-1'),
    { authorization: `Basic ${Buffer.from('the-new-secret-of-16:').toString('base64')}` },
  ])('is unsigned without one: %j', (headers) => {
    expect(readRequest(headers, body).kind).toBe('unsigned')
  })
  it.each(['{}', '[]', 'null', 'From: a@b', '', '{"RawEmail":""}', '{"RawEmail":1}', '{"TextBody":"hi"}'])(
    'is unreadable without a whole mail: %s',
    (text) => {
      const read = readRequest(basic('the-new-secret-of-16'), Buffer.from(text))
      expect(read).toMatchObject({ kind: 'unreadable', reason: expect.stringContaining('RawEmail') })
    },
  )
  it('is all that there is: Postmark has no mailbox', async () => {
    await expect(fetch(() => Promise.reject(new Error('a mail')))).resolves.toBeUndefined()
  })
})
