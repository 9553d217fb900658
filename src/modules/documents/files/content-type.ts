// A file's type by its content. The type that the client declares is ignored; the file name must not contradict it.

export const HEAD_BYTES = 4096

const PROGRAM = 'application/x-executable'
const ZIP = 'application/zip'
const MP4 = 'video/mp4'
const TEXT = 'text/plain; charset=utf-8'
const OFFICE = 'application/vnd.openxmlformats-officedocument'

/** The recognised types by extension. None of them can run scripts in a browser. */
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
const UNKNOWN = 'application/octet-stream'

/** Every type that an upload may have. */
export const UPLOAD_TYPES: readonly string[] = [UNKNOWN, ...TYPES]
/** What the vendor uploads may be a program too. */
export const VENDOR_UPLOAD_TYPES: readonly string[] = [...UPLOAD_TYPES, PROGRAM]

/** Types of the library that are treated as another one. */
const TREATED_AS: ReadonlyMap<string, string> = new Map([
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

/**
 * Types whose first bytes may all be characters. The library takes `The free …` for a video and `GIFTS` for an image.
 */
const MAY_BE_TEXT: ReadonlySet<string> = new Set(['application/pdf', PROGRAM])

/** `head`: the first `HEAD_BYTES` bytes. */
export async function contentTypeOf(head: Buffer): Promise<string> {
  // Read at the first upload.
  const { fileTypeFromBuffer } = await import('file-type')
  const { mime = '' } = (await fileTypeFromBuffer(head)) ?? {}
  const type = TREATED_AS.get(mime) ?? mime
  if (!MAY_BE_TEXT.has(type) && isText(head)) return TEXT
  if (type === PROGRAM || TYPES.has(type)) return type
  // ZIP archives of other programs: .odt, .jar, .epub, …
  if (head.toString('latin1', 0, 4) === 'PK\u0003\u0004') return ZIP
  return UNKNOWN
}

/** Valid UTF-8 without NUL; the head may end in the middle of a character. */
function isText(head: Buffer): boolean {
  if (head.includes(0)) return false
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: true })
    return true
  } catch {
    return false
  }
}

/** The extension for a file name that the service chooses. */
export const extensionOf = (contentType: string): string =>
  [...EXTENSIONS].find(([, type]) => type === contentType)?.[0] ?? 'bin'

/** Extensions that a download may have for a type although they say more than it does; none is of a program. */
const ALSO: ReadonlyMap<string, RegExp> = new Map([
  [TEXT, /^(csv|tsv|md|log|xml|json|ya?ml)$/],
  [ZIP, /^(docx|xlsx|pptx|odt|ods|odp)$/],
  [UNKNOWN, /^(bin|heic|p7s)$/],
])

/**
 * The name under which an upload is downloaded. One whose extension could let it run, or says another type, gets that
 * of its type as well: `setup.bat` becomes `setup.bat.txt`.
 */
export function downloadName(name: string, contentType: string): string {
  const extension = /\.(\w+)$/.exec(name)?.[1]?.toLowerCase() ?? ''
  const isKnown = EXTENSIONS.get(extension) === contentType || ALSO.get(contentType)?.test(extension)
  return isKnown ? name : `${name}.${extensionOf(contentType)}`
}

/** The problem of an upload, or null. */
export function problemWith(fileName: string, contentType: string): string | null {
  if (contentType === PROGRAM) return 'programs are not taken'
  const expected = EXTENSIONS.get(/\.(\w+)$/.exec(fileName)?.[1]?.toLowerCase() ?? '')
  if (expected === undefined || expected === contentType) return null
  // An office document whose list of contents is beyond the head is only recognised as a ZIP archive.
  if (contentType === ZIP && expected.startsWith(OFFICE)) return null
  return 'is not what its name says'
}
