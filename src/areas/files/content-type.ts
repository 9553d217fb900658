// What a file is, by its content: what the client calls it has no say, and must not contradict it.

export const HEAD_BYTES = 4096
const PROGRAM = 'application/x-executable'

const ascii = (text: string): number[] => [...Buffer.from(text, 'latin1')]

/** First bytes, and where they stand. */
const SIGNATURES: readonly { type: string; at?: number; bytes: readonly number[] }[] = [
  { type: 'application/pdf', bytes: ascii('%PDF-') },
  { type: 'image/png', bytes: [0x89, ...ascii('PNG\r\n'), 0x1a, 0x0a] },
  { type: 'image/jpeg', bytes: [0xff, 0xd8, 0xff] },
  { type: 'image/gif', bytes: ascii('GIF8') },
  { type: 'image/webp', at: 8, bytes: ascii('WEBP') },
  { type: 'video/mp4', at: 4, bytes: ascii('ftyp') },
  { type: 'application/gzip', bytes: [0x1f, 0x8b] },
  { type: 'application/x-7z-compressed', bytes: [0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c] },
  { type: PROGRAM, bytes: ascii('MZ') },
  { type: PROGRAM, bytes: [0x7f, ...ascii('ELF')] },
  { type: PROGRAM, bytes: [0xcf, 0xfa, 0xed, 0xfe] },
  { type: PROGRAM, bytes: [0xca, 0xfe, 0xba, 0xbe] },
]

const OFFICE = 'application/vnd.openxmlformats-officedocument'
/** Folders inside the archives that office programs write. */
const ARCHIVES: readonly [string, string][] = [
  ['word/', `${OFFICE}.wordprocessingml.document`],
  ['xl/', `${OFFICE}.spreadsheetml.sheet`],
  ['ppt/', `${OFFICE}.presentationml.presentation`],
]

/** Of the first `HEAD_BYTES` bytes. Everything that could run in a browser is plain text or unknown bytes. */
export function contentTypeOf(head: Buffer): string {
  const found = SIGNATURES.find(({ at = 0, bytes }) => bytes.every((byte, index) => head[at + index] === byte))
  if (found) return found.type
  if (head.subarray(0, 4).equals(Buffer.from([0x50, 0x4b, 3, 4]))) {
    const names = head.toString('latin1')
    return ARCHIVES.find(([folder]) => names.includes(folder))?.[1] ?? 'application/zip'
  }
  return isText(head) ? 'text/plain; charset=utf-8' : 'application/octet-stream'
}

/** The head may end in the middle of a character. */
function isText(head: Buffer): boolean {
  if (head.includes(0)) return false
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: true })
    return true
  } catch {
    return false
  }
}

const EXTENSIONS: Readonly<Record<string, string>> = {
  pdf: 'application/pdf',
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  mp4: 'video/mp4',
  gz: 'application/gzip',
  '7z': 'application/x-7z-compressed',
  zip: 'application/zip',
  docx: `${OFFICE}.wordprocessingml.document`,
  xlsx: `${OFFICE}.spreadsheetml.sheet`,
  pptx: `${OFFICE}.presentationml.presentation`,
  txt: 'text/plain; charset=utf-8',
}

/** For the names that we give. */
export const extensionOf = (contentType: string): string =>
  Object.entries(EXTENSIONS).find(([, type]) => type === contentType)?.[0] ?? 'bin'

/** Null, or what is wrong with it. */
export function problemWith(fileName: string, contentType: string): string | null {
  if (contentType === PROGRAM) return 'programs are not taken'
  const expected = EXTENSIONS[/\.(\w+)$/.exec(fileName)?.[1]?.toLowerCase() ?? '']
  if (expected === undefined || expected === contentType) return null
  // Where the office folders stand later than the head, the archive is all that is known.
  if (contentType === 'application/zip' && expected.startsWith(OFFICE)) return null
  return 'is not what its name says'
}
