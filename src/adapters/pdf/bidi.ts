// Orders lines with Hebrew or Arabic for display by the Unicode bidirectional algorithm (UAX 9), each line by itself.
// text.ts has removed explicit direction controls from user text before.
import bidiFactory from 'bidi-js'
import { graphemesOf } from './text.ts'

const RIGHT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/

const bidi = bidiFactory()

const hasRightToLeft = (text: string): boolean => RIGHT.test(text)

/**
 * The pieces of a line from left to right. Right-to-left text comes word by word, each with its letters in reading
 * order.
 */
export function visualRuns(line: string): string[] {
  // Nearly all lines need no reordering.
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

/** The font engine reverses and joins the letters of a word itself, so that it gets one word at a time. */
const wordsBackwards = (text: string): string[] =>
  text
    .split(/([^\p{L}\p{M}]+)/u)
    .filter((word) => word !== '')
    .toReversed()
    .map((word) => (hasRightToLeft(word) ? word : mirrored(word)))

const mirrored = (signs: string): string =>
  graphemesOf(signs)
    .map((sign) => bidi.getMirroredCharacter(sign) ?? sign)
    .toReversed()
    .join('')
