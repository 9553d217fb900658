// How answers to mails come in: what is needed for each way, and what stays off.
import { describe, expect, it } from 'vitest'
import { readConfig } from './config.ts'
import { settingsOf } from './settings.ts'

const BASE = {
  SANDBOX: '1',
  SMTP_URL: 'smtp://127.0.0.1:25',
  MAIL_FROM: 'no-reply@vendor.example',
  SECRET_KEY: 'kJ8s0aPq1LmZx92hQwErTyUiOpAsDfGh',
}
const MAILBOX = 'support@reply.vendor.example'
const IMAP_URL = 'imaps://reader:p%40ss@imap.vendor.example/INBOX'

const repliesOf = (more: Record<string, string> = {}) => readConfig({ ...BASE, ...more }).replies

describe('the settings of answers by mail', () => {
  it('are off unless they are given, but for mails that the sandbox keeps', () => {
    expect(repliesOf()).toBeNull()
    expect(settingsOf(readConfig(BASE)).replies).toBeNull()
    expect(readConfig({}).replies).toEqual({ kind: 'sandbox', mailbox: 'answers@titular.example', authServer: null })
  })
  it('name a mailbox, or a provider', () => {
    const imap = { MAIL_REPLIES: 'imap', MAIL_REPLY_TO: MAILBOX, IMAP_URL, IMAP_DONE_FOLDER: 'Done' }
    expect(repliesOf({ ...imap, MAIL_AUTHSERV_ID: 'mx.vendor.example' })).toEqual({
      kind: 'imap',
      mailbox: MAILBOX,
      authServer: 'mx.vendor.example',
      url: IMAP_URL,
      doneFolder: 'Done',
    })
    const postmark = { MAIL_REPLIES: 'postmark', MAIL_REPLY_TO: MAILBOX, MAIL_WEBHOOK_SECRETS: 'a'.repeat(20) }
    expect(repliesOf(postmark)).toMatchObject({ kind: 'postmark', webhookSecrets: ['a'.repeat(20)] })
    expect(settingsOf(readConfig({ ...BASE, ...postmark })).replies).toEqual({ mailbox: MAILBOX, authServer: null })
  })
  it.each([
    [{ MAIL_REPLY_TO: MAILBOX }, /MAIL_REPLIES is missing \(MAIL_REPLY_TO is set\)/],
    [{ MAIL_REPLIES: 'imap', MAIL_REPLY_TO: MAILBOX }, /IMAP_URL is missing \(MAIL_REPLIES is imap\)/],
    [{ MAIL_REPLIES: 'imap', IMAP_URL }, /MAIL_REPLY_TO is missing/],
    [{ MAIL_REPLIES: 'postmark', MAIL_REPLY_TO: MAILBOX }, /MAIL_WEBHOOK_SECRETS is missing/],
    [{ MAIL_REPLIES: 'postmark', MAIL_REPLY_TO: MAILBOX, MAIL_WEBHOOK_SECRETS: 'short' }, /at least 16 characters/],
    [{ MAIL_REPLIES: 'imap', MAIL_REPLY_TO: MAILBOX, IMAP_URL: 'https://a:b@c' }, /must be an address such as imaps:/],
    [{ MAIL_REPLIES: 'imap', MAIL_REPLY_TO: MAILBOX, IMAP_URL: 'imaps://imap.vendor.example' }, /must be an address/],
    [{ MAIL_REPLIES: 'ftp' }, /must be imap or postmark/],
    [{ MAIL_AUTHSERV_ID: 'mx vendor' }, /must be a name such as/],
  ])('are refused when they do not make a whole: %j', (given, why) => {
    expect(() => repliesOf(given)).toThrow(why)
    expect(() => repliesOf(given)).not.toThrow(/p%40ss/)
  })
})
