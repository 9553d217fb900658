// A mail as it is read: who wrote it, to whom, whether a program did, its text, its files.
import type { Address, Attachment, Email } from 'postal-mime'
import { asciiMailAddress } from '#kernel/values/internet-addresses.ts'
import { isAutomatic } from './automatic-mail.ts'
import { htmlOfAnswer, plainHtml } from './reply-text.ts'

export type MailFile = { name: string | null; content: Buffer }

export type ReceivedMail = {
  /** With angle brackets; null without one. */
  messageId: string | null
  /** The address alone, in small letters; null unless there is exactly one. */
  from: string | null
  /** All addresses that it may have been delivered to, the envelope's first. */
  recipients: string[]
  /** Written by a program, or sent to a list: nobody waits for what becomes of it. */
  isAutomatic: boolean
  /** The fields `Authentication-Results`, from the top. */
  authentication: string[]
  /** With what it quotes. */
  text: string
  /** Of a mail that is cut, the last one may be a beginning. */
  files: MailFile[]
}

/** Of parts within parts. */
const DEEPEST = 50

export async function readMail(bytes: Uint8Array): Promise<ReceivedMail> {
  const mail = await parsed(bytes)
  const valuesOf = (name: string): string[] => mail.headers.flatMap(({ key, value }) => (key === name ? [value] : []))
  const { addressParser } = await library()
  const mailboxes = (name: string): string[] => valuesOf(name).flatMap((value) => addressesOf(addressParser(value)))
  const [author, ...others] = mailboxes('from')
  return {
    messageId: mail.messageId ?? null,
    from: author === undefined || others.length > 0 ? null : author,
    recipients: [...DELIVERED_TO, 'to', 'cc'].flatMap(mailboxes),
    isAutomatic: isAutomatic(valuesOf),
    authentication: valuesOf('authentication-results'),
    text: await textOf(mail),
    files: mail.attachments.filter((file) => !isCalendarCopy(file)).map(fileOf),
  }
}

/** Where mail servers write the address of the envelope, which `To` need not have. */
const DELIVERED_TO = ['delivered-to', 'x-original-to', 'envelope-to']

/** It is read with the first mail. */
const library = () => import('postal-mime')

const parsed = async (bytes: Uint8Array): Promise<Email> =>
  (await library()).default.parse(bytes, { maxNestingDepth: DEEPEST, forceRfc822Attachments: true })

const addressesOf = (addresses: readonly Address[]): string[] =>
  addresses
    .flatMap((one) => one.group ?? [one])
    .flatMap(({ address }) => (address === '' ? [] : [asciiMailAddress(address).toLowerCase()]))

/** The parser makes text of HTML where a mail has both, so that one with HTML alone is given to it a second time. */
async function textOf({ text = '', html = '' }: Email): Promise<string> {
  if (text.trim() !== '' || html === '') return text
  const encoded = Buffer.from(plainHtml(htmlOfAnswer(html))).toString('base64')
  const parts = [
    'Content-Type: multipart/mixed; boundary=part\r\n\r\n--part\r\nContent-Type: text/plain\r\n\r\n\r\n--part',
    'Content-Type: text/html; charset=utf-8\r\nContent-Transfer-Encoding: base64\r\n',
    encoded.replaceAll(/.{76}/g, '$&\r\n'),
    '--part--\r\n',
  ]
  return (await parsed(Buffer.from(parts.join('\r\n')))).text ?? ''
}

/** Programs add the answer to an invitation a second time, as a file. */
const isCalendarCopy = ({ method }: Attachment): boolean => method !== undefined

const fileOf = ({ filename: name, content }: Attachment): MailFile => ({ name, content: bytesOf(content) })

const bytesOf = (content: Attachment['content']): Buffer =>
  Buffer.from(content instanceof ArrayBuffer || typeof content !== 'string' ? new Uint8Array(content) : content)
