// Cleans text for the layout's two kinds of text: any character of XML, or printable Latin-1 on one line.

/** Characters that XML 1.0 cannot contain, invisible controls, and controls of the text direction. */
const REMOVED = /(?![\t\n])[\p{Cc}\u202a-\u202e\u2066-\u2069\ufffe\uffff\ufdd0-\ufdef]/gu

const TYPOGRAPHY: ReadonlyMap<string, string> = new Map(
  Object.entries({
    '‘': "'",
    '’': "'",
    '‚': "'",
    '“': '"',
    '”': '"',
    '„': '"',
    '–': '-',
    '—': '-',
    '−': '-',
    '…': '...',
    '•': '-',
    '€': 'EUR',
    '™': 'TM',
  }),
)

/** Several lines of any characters; null when the result is empty. */
export function paragraphs(given: string | null, max: number): string | null {
  const clean = (given ?? '').normalize('NFC').toWellFormed().replace(/\r\n?/g, '\n').replace(REMOVED, '')
  return cut(clean.replaceAll('\t', ' ').trim(), max)
}

/** One line of any characters. */
export const line = (given: string | null, max: number): string | null =>
  cut((paragraphs(given, Infinity) ?? '').replace(/\s+/g, ' ').trim(), max)

/** One line of printable Latin-1: other characters get their nearest form there, or are removed. */
export function latin(given: string | null, max: number): string | null {
  const near = Array.from(line(given, Infinity) ?? '', nearest).join('')
  return cut(near.replace(/\s+/g, ' ').trim(), max)
}

function nearest(character: string): string {
  if (character <= 'ÿ' && character.length === 1) return character
  const known = TYPOGRAPHY.get(character)
  if (known !== undefined) return known
  const parts = Array.from(character.normalize('NFKD'))
  return parts.filter((part) => part >= ' ' && part <= 'ÿ' && part.length === 1).join('')
}

/** Cuts between characters, not inside surrogate pairs. */
function cut(text: string, max: number): string | null {
  const characters = Array.from(text)
  const short = characters.length > max ? characters.slice(0, max).join('').trim() : text
  return short === '' ? null : short
}
