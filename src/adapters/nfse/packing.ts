// XML in requests and answers: UTF-8, gzip, base64. In event lists base64 is applied twice.
import { gunzipSync, gzipSync } from 'node:zlib'

/** Limits decompression. A tax invoice has some 20 kB, and canonical form of much more would take long. */
const MAX_XML_BYTES = 512 * 1024

export const packed = (xml: string): string => gzipSync(Buffer.from(xml, 'utf8')).toString('base64')

/** Null when the text is not packed XML, or too large. */
export function unpacked(text: string): string | null {
  const once = Buffer.from(text, 'base64')
  const bytes = isGzip(once) ? once : Buffer.from(once.toString('latin1'), 'base64')
  if (!isGzip(bytes)) return null
  try {
    const xml = gunzipSync(bytes, { maxOutputLength: MAX_XML_BYTES })
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(xml)
  } catch {
    return null
  }
}

const isGzip = (bytes: Buffer): boolean => bytes[0] === 0x1f && bytes[1] === 0x8b
