// A value as people read it: money, days, times, and states that are told apart by more than their color.
import { Anchor, Badge, Code, Progress, Stack, Text } from '@mantine/core'
import { usePerson } from '../context.tsx'
import { type Column, isItem, type Item, textOf } from '../resources/resource.ts'
import { ageIn, dayIn, distanceIn, filled, moneyIn, nameOf, percentIn, timeIn } from '../texts/texts.ts'
import { FoldedChanges } from './changes.tsx'
import { OfAct } from './of-act.tsx'
import { Status } from './status.tsx'

/** What is late says so in words too. */
function Deadline({ time }: { time: string }) {
  const { language } = usePerson()
  const left = new Date(time).getTime() - Date.now()
  return (
    <Badge
      className="whole"
      variant="light"
      tt="none"
      color={left < 0 ? 'red' : left < SOON_MS ? 'orange' : 'gray'}
      title={timeIn(language, time)}
    >
      {left < 0 && '! '}
      {distanceIn(language, time)}
    </Badge>
  )
}

const SOON_MS = 4 * 3_600_000

/** Numbers are read from their last digit on. */
export const isRight = ({ as }: Column): boolean =>
  as === 'money' || as === 'number' || as === 'percent' || as === 'bytes'

const isWeb = (address: string): boolean => /^https?:\/\//.test(address)

export function Value({ column, record }: { column: Column; record: Item }) {
  const { language, texts } = usePerson()
  const { field, as, of } = column
  const value = of ? of(record, { texts, language }) : record[field]
  if (value === null || value === undefined || value === '')
    return (
      <Text className="none" c="dimmed">
        –
      </Text>
    )
  if (as === 'inLanguage') return <Text>{isItem(value) ? textOf(value[language]) : ''}</Text>
  const given = typeof value === 'string' || typeof value === 'number' ? String(value) : ''
  const text = field === 'cnpj' ? cnpjIn(given) : field === 'country' ? countryIn(language, given) : given
  if (as === 'status') return <Status value={text} />
  if (as === 'money') return <Text className="figure">{moneyIn(language, text, textOf(record['currency']))}</Text>
  if (as === 'deadline') return <Deadline time={text} />
  if (as === 'date')
    return (
      <Text component="time" className="figure">
        {dayIn(language, text)}
      </Text>
    )
  if (as === 'time')
    return (
      <Text component="time" className="figure">
        {timeIn(language, text)}
      </Text>
    )
  if (as === 'value')
    return (
      <Text>
        {listed(value)
          .map((one) => nameOf(texts.values, one))
          .join(', ')}
      </Text>
    )
  if (as === 'act' || as === 'actor' || as === 'record') return <OfAct as={as} value={text} record={record} />
  if (as === 'yesNo' || typeof value === 'boolean') return <Text>{value === true ? texts.act.yes : texts.act.no}</Text>
  if (as === 'age') return <Text style={{ whiteSpace: 'nowrap' }}>{ageIn(language, text)}</Text>
  if (as === 'slots') return <Slots value={value} />
  if (as === 'changes') return <FoldedChanges value={value} />
  if (as === 'json') return <Json value={value} />
  if (as === 'number') return <Text>{new Intl.NumberFormat(language).format(Number(text))}</Text>
  if (as === 'percent') return <Text>{percentIn(language, Number(text))}</Text>
  if (as === 'bytes') return <Text>{bytesIn(language, Number(text))}</Text>
  if (as === 'code') return <Code className={text.length > SHORT ? 'words' : 'words short'}>{text}</Code>
  if (as === 'link' && isWeb(text)) return <Outward address={text} />
  return <Text className="words">{Array.isArray(value) ? listed(value).join(', ') : text}</Text>
}

/** Codes up to this length stay in one line where there is room for one. */
const SHORT = 32

/** A list of names reads as one line. */
const listed = (value: unknown): readonly string[] => (Array.isArray(value) ? value.map(textOf) : [textOf(value)])

/** How many of how many are in use. */
function Slots({ value }: { value: unknown }) {
  const { texts } = usePerson()
  const [used = 0, limit = 0] = Array.isArray(value) ? value.map(Number) : []
  return (
    <Stack gap={2} maw={160}>
      <Text size="sm">{filled(texts.list.slots, { used: String(used), limit: String(limit) })}</Text>
      <Progress
        value={limit === 0 ? 0 : (used / limit) * 100}
        color={used >= limit ? 'orange' : 'blue'}
        aria-label={filled(texts.list.slots, { used: String(used), limit: String(limit) })}
      />
    </Stack>
  )
}

function Json({ value }: { value: unknown }) {
  return (
    <Code block style={{ maxWidth: 640, whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
      {JSON.stringify(value, null, 2)}
    </Code>
  )
}

function Outward({ address }: { address: string }) {
  return (
    <Anchor
      href={address}
      target="_blank"
      rel="noreferrer"
      className="words"
      onClick={(event) => event.stopPropagation()}
    >
      {address.replace(/^https?:\/\//, '').replace(/\/$/, '')}
    </Anchor>
  )
}

/** As it is written on papers: 31.845.012/0001-40. */
const cnpjIn = (cnpj: string): string => cnpj.replace(/^(\w{2})(\w{3})(\w{3})(\w{4})(\d{2})$/, '$1.$2.$3/$4-$5')

/** What is no code of a country stays as it was written. */
function countryIn(language: string, code: string): string {
  try {
    return new Intl.DisplayNames(language, { type: 'region' }).of(code) ?? code
  } catch {
    return code
  }
}

function bytesIn(language: string, bytes: number): string {
  const [unit, size] =
    bytes >= 1_000_000
      ? (['megabyte', 1_000_000] as const)
      : bytes >= 1000
        ? (['kilobyte', 1000] as const)
        : (['byte', 1] as const)
  return new Intl.NumberFormat(language, { style: 'unit', unit, maximumFractionDigits: 1 }).format(bytes / size)
}
