// The catalogue in the language of the person, and what is written as the language writes it.
import type { Language, Texts } from './en.ts'

export type { Language } from './en.ts'

/** Loaded by itself, so that nobody loads the language that they do not read. */
export const textsIn = async (language: Language): Promise<Texts> =>
  (language === 'en' ? await import('./en.ts') : await import('./pt-br.ts')).texts

/** The texts of one screen, which are loaded with it; the compiler holds the languages together. */
export const ownTexts = <Own>(own: { en: Own; 'pt-BR': NoInfer<Own> }): Readonly<Record<Language, Own>> => own

/** Where nobody may have signed in: in the language that the page is in. */
export const inLanguageOfPage = <Own>(own: Readonly<Record<Language, Own>>): Own =>
  own[document.documentElement.lang === 'en' ? 'en' : 'pt-BR']

/** As the browser asks, until somebody has signed in. */
export const languageOfBrowser = (): Language =>
  navigator.languages.some((one) => one.toLowerCase().startsWith('pt')) ? 'pt-BR' : 'en'

/** `{name}` becomes the value. */
export const filled = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '')

/** The name of a value, or the value itself where it has none, which somebody may have written: `__proto__`. */
export const nameOf = (names: Readonly<Record<string, string>>, value: string): string =>
  (Object.hasOwn(names, value) ? names[value] : undefined) ?? value

/** Kept, since making one takes a hundred times as long as writing with it. */
function kept<Options extends object, Format>(make: (language: Language, options: Options) => Format) {
  const formats = new Map<string, Format>()
  return (language: Language, options: Options): Format => {
    const key = `${language} ${JSON.stringify(options)}`
    const format = formats.get(key) ?? make(language, options)
    formats.set(key, format)
    return format
  }
}

const numberFormat = kept((language, options: Intl.NumberFormatOptions) => new Intl.NumberFormat(language, options))
const dateFormat = kept((language, options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(language, options))
const relativeFormat = kept(
  (language, options: Intl.RelativeTimeFormatOptions) => new Intl.RelativeTimeFormat(language, options),
)

export function moneyIn(language: Language, amount: string, currency: string): string {
  if (!isAmount(amount) || !/^[A-Z]{3}$/.test(currency)) return amount
  return numberFormat(language, { style: 'currency', currency }).format(amount)
}

/** Formatted as a text, since a number has not all of its digits. */
const isAmount = (text: string): text is `${number}` => /^-?\d+(\.\d+)?$/.test(text)

export const percentIn = (language: Language, percent: number): string =>
  numberFormat(language, { style: 'percent', maximumFractionDigits: 4 }).format(percent / 100)

/** What the service names by its amount, `49.90 BRL`, with the amount as the language writes it. */
export const amountIn = (language: Language, label: string): string =>
  label.replace(/^(-?\d+(?:\.\d+)?) ([A-Z]{3})\b/, (_, amount: string, currency: string) =>
    moneyIn(language, amount, currency),
  )

/** A calendar day stays that day wherever it is read. */
export const dayIn = (language: Language, day: string): string =>
  dateFormat(language, { dateStyle: 'medium', timeZone: 'UTC' }).format(new Date(`${day.slice(0, 10)}T00:00:00Z`))

/** `2027-01` as jan. 2027. */
export const monthIn = (language: Language, month: string): string =>
  dateFormat(language, { month: 'short', year: 'numeric', timeZone: 'UTC' })
    .format(new Date(`${month}-01T00:00:00Z`))
    .replace(' de ', ' ')

export const timeIn = (language: Language, time: string): string =>
  dateFormat(language, { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(time))

const DAY_MS = 86_400_000

/** How many days ago, as the language says it: today, yesterday, 12 days ago. */
export const ageIn = (language: Language, time: string): string =>
  relativeFormat(language, { numeric: 'auto' }).format(
    -Math.max(0, Math.floor((Date.now() - new Date(time).getTime()) / DAY_MS)),
    'day',
  )
const UNITS = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const

/** How far a time is from now, such as "3 days ago" or "in 2 hours". */
export function distanceIn(language: Language, time: string): string {
  const seconds = (new Date(time).getTime() - Date.now()) / 1000
  const [unit, length] = UNITS.find(([, size]) => Math.abs(seconds) >= size) ?? UNITS[4]
  return relativeFormat(language, { numeric: 'auto' }).format(Math.trunc(seconds / length), unit)
}
