// What a file is, by its content: what the client calls it has no say, and must not contradict it.
import { fileTypeFromBuffer } from 'file-type'

export const HEAD_BYTES = 4096

const PROGRAM = 'application/x-executable'
const ZIP = 'application/zip'
const MP4 = 'video/mp4'
const TEXT = 'text/plain; charset=utf-8'
const OFFICE = 'application/vnd.openxmlformats-officedocument'

/** The types that are told apart, by the extension that goes with them. Nothing that could run in a browser is among them. */
const EXTENSIONS: ReadonlyMap<string, string> = new Map([
  ['pdf', 'application/pdf'],
  ['png', 'image/png'],
  ['jpg', 'image/jpeg'],
  ['jpeg', 'image/jpeg'],
  ['gif', 'image/gif'],
  ['webp', 'image/webp'],
  ['mp4', MP4],
  ['gz', 'application/gzip'],
  ['7z', 'application/x-7z-compressed'],
  ['zip', ZIP],
  ['docx', `${OFFICE}.wordprocessingml.document`],
  ['xlsx', `${OFFICE}.spreadsheetml.sheet`],
  ['pptx', `${OFFICE}.presentationml.presentation`],
  ['txt', TEXT],
])
const TYPES: ReadonlySet<string> = new Set(EXTENSIONS.values())

/** Types that the library tells apart and we do not. */
const KEPT_AS: ReadonlyMap<string, string> = new Map([
  ['application/x-msdownload', PROGRAM],
  ['application/x-elf', PROGRAM],
  ['application/x-mach-binary', PROGRAM],
  ['application/java-vm', PROGRAM],
  ['image/apng', 'image/png'],
  ['video/quicktime', MP4],
  ['video/x-m4v', MP4],
  ['video/3gpp', MP4],
  ['video/3gpp2', MP4],
  ['audio/mp4', MP4],
  ['audio/x-m4a', MP4],
])

/** Types whose first bytes may all be characters. The library takes `The free …` for a video and `GIFTS` for an image. */
const MAY_BE_TEXT: ReadonlySet<string> = new Set(['application/pdf', PROGRAM])

/** Of the first `HEAD_BYTES` bytes. */
export async function contentTypeOf(head: Buffer): Promise<string> {
  const { mime = '' } = (await fileTypeFromBuffer(head)) ?? {}
  const type = KEPT_AS.get(mime) ?? mime
  if (!MAY_BE_TEXT.has(type) && isText(head)) return TEXT
  if (type === PROGRAM || TYPES.has(type)) return type
  // Archives of other programs: .odt, .jar, .epub, …
  if (head.toString('latin1', 0, 4) === 'PK\u0003\u0004') return ZIP
  return 'application/octet-stream'
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

/** For the names that we give. */
export const extensionOf = (contentType: string): string =>
  [...EXTENSIONS].find(([, type]) => type === contentType)?.[0] ?? 'bin'

/** Null, or what is wrong with it. */
export function problemWith(fileName: string, contentType: string): string | null {
  if (contentType === PROGRAM) return 'programs are not taken'
  const expected = EXTENSIONS.get(/\.(\w+)$/.exec(fileName)?.[1]?.toLowerCase() ?? '')
  if (expected === undefined || expected === contentType) return null
  // Where an office document's list of contents stands later than the head, the archive is all that is known.
  if (contentType === ZIP && expected.startsWith(OFFICE)) return null
  return 'is not what its name says'
}
