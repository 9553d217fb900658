// The content of an upload: in chunks, or ended by an error.

export async function* piecesOf(...content: (Buffer | string | Error)[]): AsyncIterable<Buffer> {
  for (const piece of content) {
    if (piece instanceof Error) throw piece
    yield Buffer.from(piece)
  }
}
