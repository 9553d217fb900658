// Widths of texts on a terminal: an emoji takes two places, an accent none.
import stringWidth from 'string-width'

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

export const widthOf = (text: string): number => (/^[ -~]*$/.test(text) ? text.length : stringWidth(text))

/** Ends with `…` where it has to be shorter. */
export function cut(text: string, width: number): string {
  if (widthOf(text) <= width) return text
  let result = ''
  let used = 0
  for (const { segment } of graphemes.segment(text)) {
    const more = widthOf(segment)
    if (used + more > width - 1) break
    result += segment
    used += more
  }
  return width < 1 ? '' : `${result}…`
}

export const padEnd = (text: string, width: number): string => text + ' '.repeat(Math.max(0, width - widthOf(text)))
export const padStart = (text: string, width: number): string => ' '.repeat(Math.max(0, width - widthOf(text))) + text

/** Lines of words within a width. */
export function wrap(text: string, width: number, indent = ''): string {
  const lines: string[] = []
  for (const paragraph of text.split('\n')) {
    let line = ''
    for (const word of paragraph.split(' ')) {
      if (line !== '' && widthOf(line) + 1 + widthOf(word) > width) {
        lines.push(line)
        line = word
      } else line = line === '' ? word : `${line} ${word}`
    }
    lines.push(line)
  }
  return lines.join(`\n${indent}`)
}
