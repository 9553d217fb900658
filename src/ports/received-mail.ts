// A mail as it is read: who wrote it, to whom, whether a program did, its text, its files.
import type { Address, Attachment, Email } from 'postal-mime'
import { asciiMailAddress } from '#kernel/values/internet-addresses.ts'
import { isAutomatic } from './automatic-mail.ts'
import { htmlOfAnswer, plainHtml } from './reply-text.ts'

export type MailFile = { name: string | null; content: Buffer }

/** What its own header fields say. */
export type MailHead = {
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
}

export type MailBody = {
  /** With what it quotes. */
  text: string
  /** Of a mail that is cut, the last one may be a beginning. */
  files: MailFile[]
}

/** Of parts within parts. */
const DEEPEST = 50
/** Of the mail's own fields. */
const MOST_HEAD_BYTES = 128 * 1024
/** Of the fields of the mail and of its parts. */
const MOST_FIELD_BYTES = 512 * 1024

/** All that is read of a mail before it is known to be from a member: what a body takes, its size does not tell. */
export async function readHead(bytes: Buffer): Promise<MailHead> {
  const fields = fieldsIn(headOf(bytes).toString('utf8'))
  const valuesOf = (name: string): string[] => fields.flatMap(([key, value]) => (key === name ? [value] : []))
  const { addressParser } = await library()
  const mailboxes = (name: string): string[] =>
    valuesOf(name).flatMap((value) => (value.length > LONGEST_LIST ? [] : addressesOf(addressParser(value))))
  const [author = null, ...others] = mailboxes('from')
  const isOne = others.length === 0 && valuesOf('from').every((value) => namesNoOther(value, author))
  return {
    messageId: valuesOf('message-id')[0] || null,
    from: isOne ? author : null,
    recipients: [...DELIVERED_TO, 'to', 'cc'].flatMap(mailboxes),
    isAutomatic: isAutomatic(valuesOf),
    authentication: valuesOf('authentication-results'),
  }
}

/** Reading one takes the square of its length. */
const LONGEST_LIST = 16_000

/** Names in small letters, and values unfolded. */
const fieldsIn = (head: string): [string, string][] =>
  head.split(/\n(?![ \t])/).flatMap((field) => {
    const [name = '', ...value] = field.split(':')
    return value.length === 0
      ? []
      : [
          [
            name.trim().toLowerCase(),
            value
              .join(':')
              .replaceAll(/[\r\n]+/g, ' ')
              .trim(),
          ],
        ]
  })

export async function readBody(bytes: Uint8Array): Promise<MailBody> {
  const mail = await parsed(bytes)
  const files = mail.attachments.filter((file) => !isCalendarCopy(file)).map(fileOf)
  return { text: await textOf(mail), files }
}

function headOf(bytes: Buffer): Buffer {
  const end = bytes
    .subarray(0, MOST_HEAD_BYTES)
    .toString('latin1')
    .search(/(?:^|\n)\r*\n/)
  if (end < 0 && bytes.length > MOST_HEAD_BYTES) throw new Error(`its fields have more than ${MOST_HEAD_BYTES} bytes`)
  return end < 0 ? bytes : bytes.subarray(0, end)
}

const LONGEST_FROM = 2000

/**
 * Programs differ in which address they take of `<one> <other>`, and the server of the sender may have looked at the
 * other. What is quoted, or a comment, is a name; an address is not encoded.
 */
function namesNoOther(field: string, author: string | null): boolean {
  if (field.length > LONGEST_FROM) return false
  const bare = field.replaceAll(/"(?:\\[^]|[^"\\])*"|\([^()]*\)/g, ' ')
  const found = bare.match(/[^\s<>,;:()]+@[^\s<>,;:()]+/g) ?? []
  return found.length > 0 && found.every((one) => asciiMailAddress(one).toLowerCase() === author)
}

/** The parser keeps lines and parts one by one: 500,000 empty lines took more memory than the service has. */
const MOST_LINES = 40_000
/** What a part takes, in lines. */
const LINES_OF_PART = 20

/** How much of a mail is read. Lines as files in Base64 have them are no text, and count for nothing. */
export function readableBytes(bytes: Buffer): number {
  let [start, lines] = [0, 0]
  while (start < bytes.length) {
    const found = bytes.indexOf('\n', start)
    const end = found < 0 ? bytes.length : found
    const mayBePart = bytes[start] === DASH && bytes[start + 1] === DASH
    if (mayBePart) lines += LINES_OF_PART
    else if (end - start < SHORTEST_OF_FILE || bytes.subarray(start, end).includes(' ')) lines++
    if (lines > MOST_LINES) return start
    start = end + 1
  }
  return bytes.length
}

const DASH = 0x2d
const SHORTEST_OF_FILE = 60

/** Where mail servers write the address of the envelope, which `To` need not have. */
const DELIVERED_TO = ['delivered-to', 'x-original-to', 'envelope-to']

/** It is read with the first mail. */
const library = () => import('postal-mime')

const parsed = async (bytes: Uint8Array): Promise<Email> =>
  (await library()).default.parse(bytes, {
    maxNestingDepth: DEEPEST,
    maxHeadersSize: MOST_FIELD_BYTES,
    forceRfc822Attachments: true,
  })

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
