// The languages of the texts, and the choice among them for a request.

export const LANGUAGES = ['pt-BR', 'en'] as const
export type Language = (typeof LANGUAGES)[number]

/** The best of our languages for an `Accept-Language` header (RFC 9110); any Portuguese is served the Brazilian one. */
export function languageFrom(acceptLanguage: string | string[] | undefined, fallback: Language): Language {
  const wishes = String(acceptLanguage ?? '')
    .slice(0, 1000)
    .split(',')
    .map(readWish)
  const wanted = wishes.filter(({ quality }) => quality > 0).toSorted((a, b) => b.quality - a.quality)
  for (const { range } of wanted) {
    const language = range === '*' ? fallback : spokenAs(range)
    if (language) return language
  }
  return fallback
}

function readWish(part: string): { range: string; quality: number } {
  const [range = '', ...parameters] = part.split(';').map((piece) => piece.trim().toLowerCase())
  const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2)
  if (quality === undefined) return { range, quality: range === '' ? 0 : 1 }
  return { range, quality: /^[01](\.\d{0,3})?$/.test(quality) ? Number(quality) : 0 }
}

function spokenAs(range: string): Language | undefined {
  const [primary = ''] = range.split('-')
  return LANGUAGES.find((language) => language.toLowerCase().split('-')[0] === primary)
}
