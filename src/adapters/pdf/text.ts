// Prepares users' text for a page: characters that the font has, lines that fit a width. The time is proportional to the
// length of the text.

export type Measure = (text: string) => number

/** Stands for a character that the font lacks. */
const MISSING = '\u25a1'
/** Joiners and variation selectors have no meaning without the emoji that they join. */
const INVISIBLE = /\u200d|[\u200b\u200c\u2060\ufeff]|[\ufe00-\ufe0f]/g
/** Controls of the reading direction. */
const DIRECTION_CONTROLS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g
/** No writing system has more than eight marks on a letter; thousands take the font engine seconds. */
const STACKED = /(\p{M}{8})\p{M}+/gu
/** Text in which each character is a grapheme of its own, so that it needs no segmentation. */
const SIMPLE = /^[\n\u0020-\u007e\u00a0-\u02ff\u0370-\u0482\u048a-\u058f\u2010-\u2027\u2030-\u205e\u20a0-\u20bf]*$/
/** More characters than a line of a page holds. */
const LONGEST_WORD = 400

const graphemes = new Intl.Segmenter()

/** One sign for each character that the font lacks; line ends stay, other control characters become spaces. */
export function renderable(text: string, hasGlyph: (codePoint: number) => boolean): string {
  const plain = text
    .toWellFormed()
    .replace(STACKED, '$1')
    .normalize('NFC')
    .replace(/\r\n?|[\u0085\u2028\u2029]/g, '\n')
    .replace(DIRECTION_CONTROLS, '')
    .replace(/[^\n\P{Cc}]/gu, ' ')
  const has = (character: string) => character === '\n' || hasGlyph(character.codePointAt(0) ?? 0)
  const words: string[] = []
  // By words, since most are simple; an emoji never contains a space.
  for (const word of plain.split(/([ \n]+)/)) {
    if (SIMPLE.test(word)) words.push(Array.from(word, (one) => (has(one) ? one : MISSING)).join(''))
    else words.push(segmented(word, has))
  }
  return words.join('')
}

function segmented(word: string, has: (character: string) => boolean): string {
  let result = ''
  for (const { segment } of graphemes.segment(word)) {
    const visible = segment.replace(INVISIBLE, '')
    result += Array.from(visible).every(has) ? visible : MISSING
  }
  return result
}

/** The lines of a text in the given width; a word that is too long for a line is broken. */
export function linesOf(text: string, width: number, measure: Measure): string[] {
  return text.split('\n').flatMap((paragraph) => wrapped(paragraph, width, measure))
}

function wrapped(paragraph: string, width: number, measure: Measure): string[] {
  const space = measure(' ')
  const lines: string[] = []
  let line: string[] = []
  let used = 0
  for (const word of paragraph.split(/[ \u3000]+/)) {
    for (const { piece, wide } of piecesOf(word, width, measure)) {
      if (line.length > 0 && used + space + wide > width) {
        lines.push(line.join(' '))
        line = []
        used = 0
      }
      used += (line.length === 0 ? 0 : space) + wide
      line.push(piece)
    }
  }
  return [...lines, line.join(' ')]
}

/** The word, or its pieces when it is wider than a line. */
function piecesOf(word: string, width: number, measure: Measure): { piece: string; wide: number }[] {
  const whole = word.length > LONGEST_WORD ? Infinity : measure(word)
  if (whole <= width) return [{ piece: word, wide: whole }]
  const pieces: { piece: string; wide: number }[] = []
  let piece = ''
  let used = 0
  for (const { segment } of graphemes.segment(word)) {
    const wide = measure(segment)
    if (piece !== '' && used + wide > width) {
      pieces.push({ piece, wide: used })
      piece = ''
      used = 0
    }
    piece += segment
    used += wide
  }
  return piece === '' ? pieces : [...pieces, { piece, wide: used }]
}

/** At most so many lines; an ellipsis at the end stands for the others. */
export function cutTo(lines: readonly string[], most: number, width: number, measure: Measure): string[] {
  if (lines.length <= most) return [...lines]
  const kept = lines.slice(0, Math.max(most, 1))
  let last = Array.from((kept.pop() ?? '').trimEnd())
  while (last.length > 0 && measure(`${last.join('')}…`) > width) last = last.slice(0, -1)
  return [...kept, `${last.join('')}…`]
}
