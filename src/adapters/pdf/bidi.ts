// Lines with Hebrew or Arabic in them, in the order in which they are read: the Unicode bidirectional algorithm (UAX 9)
// without its explicit controls, which user text loses on the way (text.ts). Each line is ordered by itself.

export type Run = { text: string; isRightToLeft: boolean }

const RIGHT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]|[\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u
const DIGIT = /\p{Nd}/u
const MARK = /\p{M}/u
const LETTER = /[\p{L}\p{No}\p{So}]/u
/** Between two digits they belong to the number. */
const SEPARATOR = /^[.,:/+-]$/
const MIRRORED: Readonly<Record<string, string>> = {
  '(': ')',
  ')': '(',
  '[': ']',
  ']': '[',
  '{': '}',
  '}': '{',
  '<': '>',
  '>': '<',
  '«': '»',
  '»': '«',
}

type Kind = 'left' | 'right' | 'number' | 'neutral'

export const hasRightToLeft = (text: string): boolean => RIGHT.test(text)

/** The pieces of a line from left to right. What is read from right to left comes word by word, letters in their own order. */
export function visualRuns(line: string): Run[] {
  if (!hasRightToLeft(line)) return [{ text: line, isRightToLeft: false }]
  const characters = Array.from(line)
  const kinds = kindsOf(characters)
  const base = kinds.find((kind) => kind === 'left' || kind === 'right') === 'right' ? 1 : 0
  const pieces = piecesOf(characters, levelsOf(kinds, base))
  return reordered(pieces).flatMap(({ text, level }) =>
    level === 1 ? wordsBackwards(text) : [{ text, isRightToLeft: false }],
  )
}

function kindsOf(characters: readonly string[]): Kind[] {
  const kinds: Kind[] = []
  for (const [index, character] of characters.entries()) {
    const before = kinds[index - 1] ?? 'neutral'
    if (MARK.test(character)) kinds.push(before)
    else if (DIGIT.test(character)) kinds.push('number')
    else if (RIGHT.test(character)) kinds.push('right')
    else if (LETTER.test(character)) kinds.push('left')
    else if (SEPARATOR.test(character) && before === 'number' && DIGIT.test(characters[index + 1] ?? ''))
      kinds.push('number')
    else kinds.push('neutral')
  }
  return kinds
}

/** Even levels read from left to right, odd ones from right to left. */
function levelsOf(kinds: readonly Kind[], base: 0 | 1): number[] {
  const levels: number[] = []
  let strong: 'left' | 'right' = base === 1 ? 'right' : 'left'
  let waiting = 0
  // Neutral signs between two of one direction take it, others that of the line.
  const settle = (before: 'left' | 'right', after: 'left' | 'right') => {
    const level = before === after ? (before === 'right' ? 1 : base === 1 ? 2 : 0) : base
    for (; waiting > 0; waiting--) levels.push(level)
  }
  let last: 'left' | 'right' = strong
  for (const kind of kinds) {
    if (kind === 'neutral') {
      waiting++
      continue
    }
    if (kind !== 'number') strong = kind
    // A number after right-to-left text stays in its flow, though its digits read from left to right.
    const side = kind === 'number' ? strong : kind
    settle(last, side)
    levels.push(side === 'left' ? (base === 1 ? 2 : 0) : kind === 'number' ? 2 : 1)
    last = side
  }
  settle(last, base === 1 ? 'right' : 'left')
  return levels
}

type Piece = { text: string; level: number }

function piecesOf(characters: readonly string[], levels: readonly number[]): Piece[] {
  const pieces: Piece[] = []
  for (const [index, character] of characters.entries()) {
    const level = levels[index] ?? 0
    const open = pieces.at(-1)
    if (open?.level === level) open.text += character
    else pieces.push({ text: character, level })
  }
  return pieces
}

/** From the highest level down to the first odd one, each stretch at or above it is turned round. */
function reordered(pieces: readonly Piece[]): Piece[] {
  let result = [...pieces]
  for (const level of [2, 1]) {
    const turned: Piece[] = []
    let stretch: Piece[] = []
    for (const piece of [...result, null]) {
      if (piece && piece.level >= level) {
        stretch.push(piece)
        continue
      }
      turned.push(...stretch.toReversed())
      stretch = []
      if (piece) turned.push(piece)
    }
    result = turned
  }
  return result
}

/** The font engine turns the letters of a word round itself and joins them; it is only ever given one word. */
function wordsBackwards(text: string): Run[] {
  return text
    .split(/([^\p{L}\p{M}]+)/u)
    .filter((word) => word !== '')
    .toReversed()
    .map((word) =>
      hasRightToLeft(word)
        ? { text: word, isRightToLeft: true }
        : {
            text: Array.from(word, (sign) => MIRRORED[sign] ?? sign)
              .toReversed()
              .join(''),
            isRightToLeft: false,
          },
    )
}
