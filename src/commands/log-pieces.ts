// The log on standard output: what is not urgent is collected and written in pieces.

/** A pipe that several processes share does not mix up to 4096 bytes with those of another. */
const PIECE_LENGTH = 4096
/** For lines that do not fill a piece. */
const WAIT_MS = 100
const INFO_OR_LESS = /^\{"level":[123]0,/

export type LogPieces = { write(line: string): void; flush(): void }

/**
 * A warning or an error is written at once, with all that came before it. What a kill of the process leaves unwritten
 * is at most the other lines of the last `WAIT_MS`.
 */
export function inPieces(write: (text: string) => unknown): LogPieces {
  let piece = ''
  let length = 0
  let timer: NodeJS.Timeout | undefined
  function flush(): void {
    clearTimeout(timer)
    timer = undefined
    const full = piece
    piece = ''
    length = 0
    if (full !== '') write(full)
  }
  return {
    write(line) {
      const added = Buffer.byteLength(line)
      if (length + added > PIECE_LENGTH) flush()
      piece += line
      length += added
      if (!INFO_OR_LESS.test(line)) flush()
      else timer ??= setTimeout(flush, WAIT_MS).unref()
    },
    flush,
  }
}
