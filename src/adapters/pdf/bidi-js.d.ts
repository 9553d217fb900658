// What is used of bidi-js: a CommonJS module, while its own types describe an ES module with a default export.
declare module 'bidi-js' {
  /** Per UTF-16 unit; even ones are read from left to right. */
  type Embedding = { levels: Uint8Array }
  function bidiFactory(): {
    getEmbeddingLevels(line: string): Embedding
    /** From left to right. */
    getReorderedIndices(line: string, embedding: Embedding): number[]
    getMirroredCharacter(character: string): string | null
  }
  export = bidiFactory
}
