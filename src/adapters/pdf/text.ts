// Prepares users' text for a page: characters that the fonts have, lines that fit a width. The time is proportional to
// the length of the text.

export type Measure = (text: string) => number

/** Stands for a character that no font has. */
const MISSING = '\u25a1'
const INVISIBLE = /[\u200b\u2060\ufeff]|[\ufe00-\ufe0f]/g
/** Joiners have no meaning but in emoji and in Devanagari, whose fonts have the joined signs. */
const IDLE_JOINER = /(?<![\p{Script=Devanagari}\p{Extended_Pictographic}\p{Emoji_Modifier}])[\u200c\u200d]/gu
/** Controls of the reading direction. */
const DIRECTION_CONTROLS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g
/** No writing system has more than eight marks on a letter; thousands take the font engine seconds. */
const STACKED = /(\p{M}{8})\p{M}+/gu
/** Text in which each character is a grapheme of its own, so that it needs no segmentation. */
const SIMPLE = /^[\n\u0020-\u007e\u00a0-\u02ff\u0370-\u0482\u048a-\u058f\u2010-\u2027\u2030-\u205e\u20a0-\u20bf]*$/
/** More characters than a line of a page holds. */
const LONGEST_WORD = 400

const graphemes = new Intl.Segmenter()

export const isSimple = (text: string): boolean => SIMPLE.test(text)

/** What a reader sees as one sign each. */
export const graphemesOf = (text: string): string[] => Array.from(graphemes.segment(text), ({ segment }) => segment)

/** One sign for each grapheme that no font has; line ends stay, other control characters become spaces. */
export function renderable(text: string, canDraw: (grapheme: string) => boolean): string {
  const plain = text
    .toWellFormed()
    .replace(STACKED, '$1')
    .normalize('NFC')
    .replace(/\r\n?|[\u0085\u2028\u2029]/g, '\n')
    .replace(DIRECTION_CONTROLS, '')
    .replace(/[^\n\P{Cc}]/gu, ' ')
  const drawn = (grapheme: string) => (grapheme === '' || canDraw(grapheme) ? grapheme : MISSING)
  const words: string[] = []
  // By words, since most are simple; an emoji never contains a space.
  for (const [index, word] of plain.split(/([ \n]+)/).entries()) {
    if (index % 2 === 1) words.push(word)
    else if (isSimple(word)) words.push(Array.from(word, drawn).join(''))
    else
      words.push(
        graphemesOf(word)
          .map((one) => drawn(visible(one)))
          .join(''),
      )
  }
  return words.join('')
}

const visible = (grapheme: string): string => grapheme.replace(INVISIBLE, '').replace(IDLE_JOINER, '')

/** The lines of a text in the given width; a word that is too long for a line is broken. */
export function linesOf(text: string, width: number, measure: Measure): string[] {
  return text.split('\n').flatMap((paragraph) => wrapped(paragraph, width, measure))
}

function wrapped(paragraph: string, width: number, measure: Measure): string[] {
  const space = measure(' ')
  const lines: string[] = []
  let line: string | null = null
  let used = 0
  for (const word of paragraph.split(/[ \u3000]+/)) {
    let gap = ' '
    for (const unit of unitsOf(word))
      for (const { piece, wide } of piecesOf(unit, width, measure)) {
        const more: number = (gap === '' ? 0 : space) + wide
        if (line !== null && used + more > width) {
          lines.push(line)
          line = null
        }
        used = line === null ? wide : used + more
        line = line === null ? piece : line + gap + piece
        gap = ''
      }
  }
  return [...lines, line ?? '']
}

/** Writing systems without spaces between words. */
const UNSPACED = /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{Script=Thai}\u3000-\u303f\uff00-\uffef]/u
const NOT_FIRST = /^[\p{Pe}\p{Pf}\p{Po}\p{M}\p{Lm}]/u
const NOT_LAST = /[\p{Ps}\p{Pi}\p{Sc}]$/u

const unspaced = new Intl.Segmenter('th', { granularity: 'word' })

/** The pieces between which a line may end. Punctuation stays with its word. */
function unitsOf(word: string): string[] {
  if (!UNSPACED.test(word)) return [word]
  const units: string[] = []
  for (const { segment } of unspaced.segment(word)) {
    const last = units.at(-1)
    const isBreak =
      last !== undefined &&
      (UNSPACED.test(last.slice(-1)) || UNSPACED.test(segment)) &&
      !NOT_LAST.test(last) &&
      !NOT_FIRST.test(segment)
    if (last === undefined || isBreak) units.push(segment)
    else units[units.length - 1] = last + segment
  }
  return units
}

/** The word, or its pieces when it is wider than a line. */
function piecesOf(word: string, width: number, measure: Measure): { piece: string; wide: number }[] {
  const whole = word.length > LONGEST_WORD ? Infinity : measure(word)
  if (whole <= width) return [{ piece: word, wide: whole }]
  const pieces: { piece: string; wide: number }[] = []
  let piece = ''
  let used = 0
  for (const segment of graphemesOf(word)) {
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
  let last = graphemesOf((kept.pop() ?? '').trimEnd())
  while (last.length > 0 && measure(`${last.join('')}…`) > width) last = last.slice(0, -1)
  return [...kept, `${last.join('')}…`]
}
