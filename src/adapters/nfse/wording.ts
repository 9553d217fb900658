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

/** Letters without a decomposition, as CLDR's transform Latin-ASCII writes them. */
const LETTERS: ReadonlyMap<string, string> = new Map(
  ['ŁL', 'łl', 'ŒOE', 'œoe', 'ĐD', 'đd', 'ıi', 'ĦH', 'ħh', 'ŦT', 'ŧt', 'ŊN', 'ŋn', 'ĸq', 'ẞSS', 'ƏE', 'əe', 'ƒf'].map(
    (pair) => [pair.charAt(0), pair.slice(1)],
  ),
)
/** Letters of Latin-1 without a decomposition, in a word that is written in ASCII. */
const OF_LATIN_1: ReadonlyMap<string, string> = new Map(
  ['ÆAE', 'æae', 'ØO', 'øo', 'ßss', 'ÐD', 'ðd', 'ÞTH', 'þth'].map((pair) => [pair.charAt(0), pair.slice(1)]),
)

/**
 * One line of printable Latin-1: other characters get their nearest form there, or are removed. A word with a letter
 * beyond Latin-1 is written in ASCII as a whole, as its own country does: Łódź is Lodz.
 */
export function latin(given: string | null, max: number): string | null {
  const words = (line(given, Infinity) ?? '').split(' ')
  const near = words.map((word) => Array.from(word, FOREIGN.test(word) ? ascii : nearest).join('')).join(' ')
  return cut(near.replace(/\s+/g, ' ').trim(), max)
}

function nearest(character: string): string {
  if (character <= 'ÿ' && character.length === 1) return character
  const known = TYPOGRAPHY.get(character) ?? LETTERS.get(character)
  if (known !== undefined) return known
  const parts = Array.from(character.normalize('NFKD'))
  return parts.filter((part) => part >= ' ' && part <= 'ÿ' && part.length === 1).join('')
}

/** A Latin letter beyond Latin-1; ª and º are in it. */
const FOREIGN = /(?![A-Za-zª-ÿ])\p{Script=Latin}/u

function ascii(character: string): string {
  const known = OF_LATIN_1.get(character)
  if (known !== undefined) return known
  return Array.from(nearest(character).normalize('NFD'))
    .filter((part) => part <= '~' || part === 'ª' || part === 'º')
    .join('')
}

/** Cuts between characters, not inside surrogate pairs. */
function cut(text: string, max: number): string | null {
  const characters = Array.from(text)
  const short = characters.length > max ? characters.slice(0, max).join('').trim() : text
  return short === '' ? null : short
}
