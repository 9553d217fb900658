// Lines with Hebrew or Arabic in them, in the order in which they are read: the Unicode bidirectional algorithm (UAX 9).
// User text has lost its explicit controls on the way (text.ts). Each line is ordered by itself.
import bidiFactory from 'bidi-js'

const RIGHT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/

const bidi = bidiFactory()

const hasRightToLeft = (text: string): boolean => RIGHT.test(text)

/** The pieces of a line from left to right. What is read from right to left comes word by word, letters in their own order. */
export function visualRuns(line: string): string[] {
  // Spares nearly every line the algorithm.
  if (!hasRightToLeft(line)) return [line]
  const embedding = bidi.getEmbeddingLevels(line)
  const { levels } = embedding
  const runs: { from: number; to: number }[] = []
  for (const index of bidi.getReorderedIndices(line, embedding)) {
    const open = runs.at(-1)
    const isSameLevel = open !== undefined && levels[open.from] === levels[index]
    if (isSameLevel && open.to === index) open.to = index + 1
    else if (isSameLevel && open.from === index + 1) open.from = index
    else runs.push({ from: index, to: index + 1 })
  }
  return runs.flatMap(({ from, to }) => {
    const text = line.slice(from, to)
    return (levels[from] ?? 0) % 2 === 0 ? [text] : wordsBackwards(text)
  })
}

/** The font engine turns the letters of a word round itself and joins them; it is only ever given one word. */
const wordsBackwards = (text: string): string[] =>
  text
    .split(/([^\p{L}\p{M}]+)/u)
    .filter((word) => word !== '')
    .toReversed()
    .map((word) => (hasRightToLeft(word) ? word : mirrored(word)))

const mirrored = (signs: string): string =>
  Array.from(signs, (sign) => bidi.getMirroredCharacter(sign) ?? sign)
    .toReversed()
    .join('')
