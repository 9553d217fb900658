// Types of bidi-js as it is used: it is a CommonJS module, but its own types describe an ES module with a default
// export.
declare module 'bidi-js' {
  /** One per UTF-16 unit; even levels are read from left to right. */
  type Embedding = { levels: Uint8Array }
  function bidiFactory(): {
    getEmbeddingLevels(line: string): Embedding
    /** The indices of the characters from left to right. */
    getReorderedIndices(line: string, embedding: Embedding): number[]
    getMirroredCharacter(character: string): string | null
  }
  export = bidiFactory
}
