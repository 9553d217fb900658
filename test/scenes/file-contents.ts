// The content of a file as it comes from a client: in pieces, or broken off by an error.

export async function* piecesOf(...content: (Buffer | string | Error)[]): AsyncIterable<Buffer> {
  for (const piece of content) {
    if (piece instanceof Error) throw piece
    yield Buffer.from(piece)
  }
}
