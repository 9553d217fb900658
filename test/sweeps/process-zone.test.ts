// What a time means never depends on the time zone of the process: neither where a text is read, nor where a part of a
// time is taken. The tests usually run in UTC, where such a mistake is not seen.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { timesOfDays } from '#modules/integrations/imports/times-of-days.ts'
import { addDays, addMonths, dayIn, startOfDay } from '#kernel/values/time/calendar.ts'
import { momentIn } from '#ports/moments.ts'
import { formatDate, formatMonth, formatTime } from '#texts/format.ts'
import { gmtIn } from '../../src/adapters/woocommerce/fields.ts'

const root = join(import.meta.dirname, '../..')
const sources = globSync('src/**/*.ts', { cwd: root }).filter((file) => !/\.(test|contract)\.ts$/.test(file))

type Found = `${string}: ${string}`
const linesWith = (files: readonly string[], isWrong: (line: string) => boolean): Found[] =>
  files.flatMap((file) =>
    readFileSync(join(root, file), 'utf8')
      .split('\n')
      .filter((line) => !/^\s*(\/\/|\*)/.test(line) && isWrong(line))
      .map((line) => `${file}: ${line.trim()}` as const),
  )

/** A part of a time, or a time of parts, in the zone of the process. */
const LOCAL = [
  /\.(get|set)(Hours|Minutes|Seconds|Milliseconds|Date|Day|Month|FullYear|TimezoneOffset)\(/,
  /\.to(Date|Time|Locale\w*)String\(/,
  /\bTemporal\.Now\b/,
  /new Date\([^()`']*, /,
  /DateTimeFormat\((?!.*(timeZone|parts))/,
]
const isLocal = (line: string): boolean => LOCAL.some((part) => part.test(line))
/** Of `new Date(…)` in adapters: a number, a clock, a text that names its zone. */
const SOUND = /^(|.*getTime\(\).*|.* \* 1000|0|.*Z[`'].*|[A-Z_]+)$/
const argumentsOf = (line: string): string[] =>
  [...line.matchAll(/(?:new Date|Date\.parse)\(((?:[^()]|\([^()]*\))*)\)/g)].map(([, argument = '']) => argument)

describe('the sources', () => {
  it('take no part of a time in the zone of the process', () =>
    expect(linesWith(sources, isLocal)).toEqual([
      // Lines of the log on the operator's terminal.
      expect.stringMatching(/^src\/commands\/readable-log.ts: .*toTimeString/),
    ]))
  it('read no text of other systems without asking for its zone', () => {
    const adapters = sources.filter((file) => /^src\/(adapters|ports)\//.test(file))
    const wrong = linesWith(adapters, (line) => argumentsOf(line).some((one) => !SOUND.test(one)))
    expect(new Set(wrong.map((line) => line.split(': ')[0]))).toEqual(
      new Set([
        // `readMoment` has looked for the zone; the others read what this service wrote.
        'src/adapters/nfse/moments.ts',
        'src/ports/moments.ts',
        'src/adapters/pdf/page.ts',
        'src/adapters/sandbox/tax/rules.ts',
        'src/adapters/sandbox/tracker/jira.ts',
      ]),
    )
  })
  it.each([
    'const hour = new Date(text).getHours()',
    'const text = moment.toLocaleDateString("pt-BR")',
    'const day = new Date(2026, 0, 1)',
    "new Intl.DateTimeFormat('pt-BR', { dateStyle: 'long' })",
  ])('would be found: %s', (line) => expect(isLocal(line)).toBe(true))
  it.each(['new Date(order.date_created)', 'Date.parse(created)', 'new Date(`${day}T00:00:00`)'])(
    'would be found in an adapter: %s',
    (line) => expect(argumentsOf(line).every((one) => SOUND.test(one))).toBe(false),
  )
})

const zone = process.env['TZ']
const inZone = (name: string | undefined) => {
  if (name === undefined) delete process.env['TZ']
  else process.env['TZ'] = name
}
afterEach(() => inZone(zone))

describe.each([
  ['America/Sao_Paulo', 180],
  ['Asia/Kathmandu', -345],
  ['Pacific/Kiritimati', -840],
])('a process in %s', (name, offset) => {
  const winter = '2026-01-01T01:30:00.000Z'
  it('has that zone', () => {
    inZone(name)
    expect(new Date(winter).getTimezoneOffset()).toBe(offset)
  })
  it('reads a time of the shop as GMT, and one of others by its own zone only', () => {
    inZone(name)
    expect(gmtIn('2026-01-01T01:30:00')?.toISOString()).toBe(winter)
    expect(momentIn('2026-01-01T02:30:00.000+0100')?.toISOString()).toBe(winter)
    expect(momentIn('2026-01-01T01:30:00')).toBeNull()
  })
  it('has the same days, months and words', () => {
    inZone(name)
    expect(dayIn(new Date(winter), 'America/Sao_Paulo')).toBe('2025-12-31')
    expect(addDays('2026-01-31', 1)).toBe('2026-02-01')
    expect(startOfDay('2026-01-01', 'America/Sao_Paulo').toISOString()).toBe('2026-01-01T03:00:00.000Z')
    expect(addMonths(new Date(winter), 1, 'America/Sao_Paulo').toISOString()).toBe('2026-02-01T01:30:00.000Z')
    expect(formatDate('en', '2026-01-01')).toBe('January 1, 2026')
    expect(formatMonth('en', '2026-01')).toBe('January 2026')
    expect(formatTime('en', winter, 'America/Sao_Paulo')).toContain('December 31, 2025 at 10:30')
  })
  it('reads a day of an import as one of the legal entity', () => {
    inZone(name)
    const settings = { entities: { entity_br: { timeZone: 'America/Sao_Paulo' } } } as never
    const at = { now: new Date(winter), settings }
    expect(timesOfDays({ company: 'entity_br', expires_at: '2027-12-31' }, undefined, at)).toMatchObject({
      expires_at: '2028-01-01T03:00:00.000Z',
    })
  })
})
