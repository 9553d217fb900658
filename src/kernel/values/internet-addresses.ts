// Addresses of mail and of the web. A domain may be written in any script; it is kept as name servers and mail servers
// have it, so that one domain has one form. One rule says what a mail address is: for input, imports, settings and the
// mailer.
import { domainToASCII } from 'node:url'
import { Format } from 'typebox/format'

/** Longer than any address that is kept. Converting takes quadratic time. */
const MOST = 2000
const isAscii = (text: string): boolean => !/[^\0-\u007f]/.test(text)
const needsNoChange = (text: string): boolean => text.length > MOST || isAscii(text)

/** With the domain in ASCII; unchanged where that is not possible. */
export function asciiMailAddress(text: string): string {
  const at = text.lastIndexOf('@')
  const domain = needsNoChange(text) ? '' : domainToASCII(text.slice(at + 1))
  return at < 0 || domain === '' ? text : `${text.slice(0, at)}@${domain}`
}

/**
 * One that mail is sent to. No quoted local parts: they may contain spaces, line breaks and addresses, which mail
 * programs read differently. No addresses of machines instead of a domain (RFC 5321 4.1.3), and 64 characters before
 * the @ (4.5.3.1.1).
 */
export const isMailAddress = (text: string): boolean =>
  /^[^"@]{1,64}@[^@[]+$/.test(text) && text.length <= 254 && !/[@.]\d+$/.test(text) && Format.IsEmail(text)

/** With host and path in ASCII; unchanged where that is not possible. */
export function asciiUrl(text: string): string {
  if (needsNoChange(text) || !/^https?:\/\//i.test(text) || !URL.canParse(text)) return text
  // The parser would drop or turn what no address may have, such as spaces and backslashes.
  if (!Format.IsUri(text.replaceAll(/[^\0-\u007f]/gu, 'a')) || /[\s\p{Cc}\p{Cf}]/u.test(text)) return text
  const { href } = new URL(text)
  return /^https?:\/\/[^/?#]+$/i.test(text) ? href.replace(/\/$/, '') : href
}
