// A file as it arrives: nothing of it is kept, so that it may be larger than the memory.
import type { Bytes } from './bytes.ts'
import type { Incoming } from './send.ts'

export type FileDownload = {
  /** As the service calls it; null where it has no name. */
  fileName: string | null
  type: string
  /** In bytes; null where it is not known beforehand. */
  size: number | null
  etag: string | null
  /** To be read once. */
  stream: ReadableStream<Bytes>
  bytes: () => Promise<Bytes>
  text: () => Promise<string>
  blob: () => Promise<Blob>
}

export function downloadOf({ response }: Incoming): FileDownload {
  const length = response.headers.get('content-length')
  const isAsSent = response.headers.get('content-encoding') === null
  return {
    fileName: fileNameOf(response.headers.get('content-disposition') ?? ''),
    type: response.headers.get('content-type') ?? 'application/octet-stream',
    size: length !== null && isAsSent ? Number(length) : null,
    etag: response.headers.get('etag'),
    stream: response.body ?? new Blob([]).stream(),
    bytes: async () => new Uint8Array(await response.arrayBuffer()),
    text: () => response.text(),
    blob: () => response.blob(),
  }
}

/** RFC 6266: the name in UTF-8 before the one in ASCII. Without folders, whoever sent it. */
export function fileNameOf(disposition: string): string | null {
  const [, encoded] = /;\s*filename\*=UTF-8''([^;\s]+)/i.exec(disposition) ?? []
  const [, plain] = /;\s*filename="((?:[^"\\]|\\.)*)"/i.exec(disposition) ?? []
  const name = encoded === undefined ? plain?.replaceAll(/\\(.)/g, '$1') : decoded(encoded)
  return name?.split(/[/\\]/).at(-1) || null
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
