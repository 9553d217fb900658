// Decimals as people write them, for the service, which takes digits and a point. What could be two numbers, or is
// none, stays as it was typed: the service says what is wrong with it, and no amount becomes another one.

/** What is a decimal, and the mark of its thousands. */
type Reading = readonly [form: RegExp, thousands: '.' | ',']

const READINGS = {
  'pt-BR': [
    [/^-?[1-9]\d{0,2}(\.\d{3})+(,\d+)?$/, '.'],
    [/^-?[1-9]\d{0,2}(,\d{3})+\.\d{1,2}$/, ','],
    // `1,500` is one and a half, or an English thousand.
    [/^-?(?![1-9]\d{0,2},\d{3}$)\d+,\d+$/, '.'],
  ],
  en: [
    [/^-?[1-9]\d{0,2}(,\d{3})+(\.\d+)?$/, ','],
    [/^-?[1-9]\d{0,2}(\.\d{3})+,\d{1,2}$/, '.'],
    [/^-?\d+,\d{1,2}$/, '.'],
  ],
} satisfies Record<string, Reading[]>

type Language = keyof typeof READINGS

export function decimalOf(text: string, language: Language): string {
  const given = text.trim()
  const reading = READINGS[language].find(([form]) => form.test(given))
  return reading ? given.replaceAll(reading[1], '').replace(',', '.') : given
}

/** As a field begins with it: three digits after the point would be read as thousands in Portuguese. */
export const shownDecimal = (value: string, language: Language): string =>
  language === 'pt-BR' ? value.replace(/(\.\d\d)0$/, '$1').replace(/\.\d{3}$/, '$&0') : value
