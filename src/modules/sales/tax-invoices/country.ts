// The ISO 3166 code for the free text in an address's country, for tax authorities.
import { onFirstUse } from '#kernel/values/on-first-use.ts'

/** Spellings that Intl does not have: codes of three letters, and common names. */
const ALSO =
  'ago AO, arg AR, aus AU, aut AT, bel BE, bol BO, bra BR, can CA, che CH, chl CL, chn CN, col CO, deu DE, ' +
  'dnk DK, ecu EC, ' +
  'esp ES, fin FI, fra FR, gbr GB, ind IN, irl IE, isr IL, ita IT, jpn JP, kor KR, mex MX, moz MZ, nld NL, ' +
  'nor NO, nzl NZ, ' +
  'per PE, pol PL, prt PT, pry PY, swe SE, ury UY, usa US, ven VE, zaf ZA, eua US, uk GB, england GB, inglaterra GB, ' +
  'great britain GB, gra-bretanha GB, holland NL, holanda NL, united states of america US, estados unidos da america US'

const fold = (text: string): string =>
  text.normalize('NFKD').replaceAll(/\p{M}/gu, '').replaceAll(/\s+/g, ' ').trim().toLowerCase()

const LETTERS = Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZ')
/** Excludes codes for private use, groups of countries, and old codes that another has replaced. */
const isCountry = (code: string): boolean =>
  !/^(AA|EU|EZ|Q[M-Z]|UN|X[A-JL-Z]|ZZ)$/.test(code) && new Intl.Locale('und', { region: code }).region === code

/** Some 4,000 names in six languages, read for the first tax invoice, which takes 35 ms. */
const byName = onFirstUse(
  (): ReadonlyMap<string, string> =>
    new Map([
      ...['pt-BR', 'en', 'es', 'fr', 'de', 'it'].flatMap((language) => {
        const names = new Intl.DisplayNames([language], { type: 'region', fallback: 'none' })
        return LETTERS.flatMap((one) => LETTERS.map((two) => one + two))
          .filter(isCountry)
          .flatMap((code) => {
            const name = names.of(code)
            return name === undefined ? [] : [[fold(name), code] as const, [code.toLowerCase(), code] as const]
          })
      }),
      ...ALSO.split(', ').map((pair) => [pair.slice(0, -3), pair.slice(-2)] as const),
    ]),
)

/** ISO 3166 alpha-2. An empty country is Brazil, as in the rest of the service; null for an unknown one. */
export function countryCode(country: string | null): string | null {
  const folded = fold(country ?? '')
  return folded === '' ? 'BR' : (byName().get(folded) ?? null)
}
