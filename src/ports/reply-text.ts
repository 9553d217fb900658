// What somebody wrote in an answer, without what their mail program quotes: in Portuguese and English, as the common
// programs write it. What cannot be told apart stays.

/** The lines that the author wrote; the whole text where nothing else is left. */
export function answerIn(text: string): string {
  const given = text.slice(0, MOST_TEXT)
  const lines = given.replaceAll(/\r\n?/g, '\n').replaceAll('\u00a0', ' ').split('\n')
  const written = withoutRule(withoutQuotes(withoutSignature(lines.slice(0, quoteFrom(lines)))))
  return tidy(written) || tidy(lines)
}

/** Of a longer one the beginning; a comment has far less. */
const MOST_TEXT = 200_000

const tidy = (lines: readonly string[]): string =>
  lines
    .map((line) => line.trimEnd())
    .join('\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim()

/** Everything from here on is the mail that was answered. */
function quoteFrom(lines: readonly string[]): number {
  const found = lines.findIndex(
    (line, index) => isDivider(line) || isHeaderBlock(lines, index) || isTopPosted(lines, index),
  )
  return found < 0 ? lines.length : found
}

/** `-----Mensagem original-----`, as Outlook and others draw it. */
const isDivider = (line: string): boolean =>
  /^\s*[-_]{2,}\s*(original message|mensagem original|forwarded message|mensagem encaminhada)\s*[-_]{2,}\s*$/i.test(
    line,
  )

/** The names of the fields that Outlook writes above what it quotes, of which at least three follow each other. */
const FIELD =
  /^[\s*>]*(from|de|sent|enviado|enviada|enviada em|enviado em|date|data|to|para|cc|subject|assunto)\s*\*?:/i
const FIRST_FIELD = /^[\s*]*(from|de)\s*\*?:\s*\S/i

const isHeaderBlock = (lines: readonly string[], index: number): boolean =>
  FIRST_FIELD.test(lines[index] ?? '') && lines.slice(index, index + 6).filter((line) => FIELD.test(line)).length >= 3

/** `Em seg., 2 de nov. de 2026 às 10:00, Ana <ana@example.com> escreveu:`, in up to three lines. */
const ATTRIBUTION = /^\s*(on|em|no dia)\s.{4,300}\s(wrote|escreveu)\s*:\s*$/i

function attributionAt(lines: readonly string[], index: number): number {
  if (!/^\s*(on|em|no dia)\s/i.test(lines[index] ?? '')) return 0
  return [1, 2, 3].find((count) => ATTRIBUTION.test(lines.slice(index, index + count).join(' '))) ?? 0
}

/** A line that introduces a quote whose lines are not marked: all that follows is the quote. */
function isTopPosted(lines: readonly string[], index: number): boolean {
  const count = attributionAt(lines, index)
  if (count === 0) return false
  let next = index + count
  while (lines[next]?.trim() === '') next++
  return next < lines.length && !isQuoted(lines[next] ?? '')
}

const isQuoted = (line: string): boolean => /^\s{0,3}>/.test(line)

/** Marked lines, and what introduces them. What stands between them was written now. */
function withoutQuotes(lines: readonly string[]): string[] {
  const kept: string[] = []
  for (let index = 0; index < lines.length; index++) {
    const count = attributionAt(lines, index)
    if (count > 0) index += count - 1
    else if (!isQuoted(lines[index] ?? '')) kept.push(lines[index] ?? '')
  }
  return kept
}

/** The line that Outlook draws above what it quotes. */
function withoutRule(lines: readonly string[]): readonly string[] {
  const last = lines.findLastIndex((line) => line.trim() !== '')
  return /^\s*[-_]{5,}\s*$/.test(lines[last] ?? '') ? lines.slice(0, last) : lines
}

/** The line `-- ` begins the signature (RFC 3676, 4.3). */
function withoutSignature(lines: readonly string[]): readonly string[] {
  const found = lines.findIndex((line) => /^-- ?$/.test(line))
  return found <= 0 ? lines : lines.slice(0, found)
}

const MOST_HTML = 1_000_000
/** Where Gmail, Outlook, Yahoo, Apple Mail and Thunderbird put what they quote. */
const QUOTE_ELEMENT = new RegExp(
  String.raw`<(?:div|blockquote|hr|span)\b[^<>]{0,300}\b(?:` +
    String.raw`class\s*=\s*["'][^"'<>]{0,200}(?:gmail_quote|gmail_attr|yahoo_quoted|moz-cite-prefix)|` +
    String.raw`id\s*=\s*["']?(?:x_)?(?:divRplyFwdMsg|appendonsend|stopSpelling|replySplit)|type\s*=\s*["']?cite)`,
  'i',
)

/** The HTML before the quote; all of it where the quote comes first. */
export function htmlOfAnswer(html: string): string {
  const given = html.slice(0, MOST_HTML)
  const at = given.search(QUOTE_ELEMENT)
  const before = at < 0 ? given : given.slice(0, at)
  return before.replaceAll(/<[^<>]*>|\s/g, '') === '' ? given : before
}

/** One line for each block, which the parser would set apart by empty ones. */
export const plainHtml = (html: string): string =>
  html
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/<div\b[^<>]*>/gi, '')
    .replaceAll(/<\/div\s*>/gi, '<br>')
    .replaceAll(/<li\b[^<>]*>/gi, '<br>- ')
    .replaceAll(/<\/?(?:ul|ol)\b[^<>]*>|<\/li\s*>/gi, ' ')
