// What users wrote, made fit for a page: characters that the font has, lines that fit a width.

export type Measure = (text: string) => number

/** Stands for a character that the font lacks. */
const MISSING = '\u25a1'
/** Joiners and variation selectors mean nothing without the emoji they join. */
const INVISIBLE = /\u200d|[\u200b\u200c\u2060\ufeff]|[\ufe00-\ufe0f]/g
/** They turn the reading direction of what follows. */
const TURNS = /[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g

/** One sign for each character that cannot be drawn; line ends stay, other control characters become spaces. */
export function drawable(text: string, hasGlyph: (codePoint: number) => boolean): string {
  const plain = text
    .normalize('NFC')
    .replace(/\r\n?|[\u0085\u2028\u2029]/g, '\n')
    .replace(TURNS, '')
    .replace(/[^\n\P{Cc}]/gu, ' ')
  let result = ''
  for (const { segment } of new Intl.Segmenter().segment(plain)) {
    const visible = segment === '\n' ? segment : segment.replace(INVISIBLE, '')
    const canBeDrawn = segment === '\n' || Array.from(visible, (one) => one.codePointAt(0) ?? 0).every(hasGlyph)
    result += canBeDrawn ? visible : MISSING
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
  let line = ''
  let used = 0
  for (const word of paragraph.split(/[ \u3000]+/)) {
    for (const piece of piecesOf(word, width, measure)) {
      const wide = measure(piece)
      if (line !== '' && used + space + wide > width) {
        lines.push(line)
        line = ''
        used = 0
      }
      used += (line === '' ? 0 : space) + wide
      line = line === '' ? piece : `${line} ${piece}`
    }
  }
  return [...lines, line]
}

/** A word as it is, or in as many pieces as it needs. */
function piecesOf(word: string, width: number, measure: Measure): string[] {
  if (measure(word) <= width) return [word]
  const pieces: string[] = []
  let piece = ''
  let used = 0
  for (const { segment } of new Intl.Segmenter().segment(word)) {
    const wide = measure(segment)
    if (piece !== '' && used + wide > width) {
      pieces.push(piece)
      piece = ''
      used = 0
    }
    piece += segment
    used += wide
  }
  return piece === '' ? pieces : [...pieces, piece]
}
