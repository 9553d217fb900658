// Reports: which there are, and each as a chart with its figures, by what its address says (`/all/reports/billed`).
import { Anchor, Card, Group, SimpleGrid, Skeleton, Stack, Text, Title } from '@mantine/core'
import { adminListReports } from '@titular/sdk'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useOwnTexts, usePerson } from '../../context.tsx'
import { NotFound } from '../frame.tsx'
import { Paper } from '../../parts/paper.tsx'
import { Problem } from '../../parts/problem.tsx'
import { isItem, type Item, itemsOf } from '../../resources/resource.ts'
import type { ScreenProps } from '../../screens.ts'
import { filled, monthIn, nameOf, timeIn } from '../../texts/texts.ts'
import { type Bar, Chart } from './chart.tsx'
import { Figures } from './figures.tsx'
import { REPORT_KINDS, type ReportKind } from './kinds.ts'
import { isMonth, monthsFrom, periodOf } from './months.ts'
import { Parameters, takesMonths } from './parameters.tsx'
import { TEXTS } from './texts.ts'

export function Screen(props: ScreenProps) {
  const kind = REPORT_KINDS.find(({ name }) => name === props.rest)
  if (props.rest === '') return <Overview {...props} />
  return kind && (props.here.organization === null || kind.own) ? (
    <Report key={kind.name} {...props} kind={kind} />
  ) : (
    <NotFound />
  )
}

function Overview({ here }: ScreenProps) {
  const { texts, mayIn } = usePerson()
  const own = useOwnTexts(TEXTS)
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['all', 'reports'],
    enabled: here.organization === null,
    queryFn: () => here.client.call(adminListReports, { per_page: 100 }),
  })
  const readable = new Set(data?.map(({ name }) => name))
  const shown = REPORT_KINDS.filter((kind) =>
    here.organization === null
      ? readable.has(kind.name)
      : kind.own && (kind.own.scope === undefined || mayIn(here, kind.own.scope, 'read')),
  )
  return (
    <Stack>
      <Title order={1} size="h2">
        {texts.screens.reports}
      </Title>
      {error && <Problem error={error} retry={() => void refetch()} />}
      {here.organization === null && isPending && !error && <Skeleton height={200} aria-hidden />}
      <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }}>
        {shown.map(({ name }) => (
          <Card key={name} withBorder component="section">
            <Title order={2} size="h4">
              <Anchor component={Link} to={`${here.path}/reports/${name}`} inherit>
                {own.titles[name]}
              </Anchor>
            </Title>
            <Text size="sm" c="dimmed">
              {own.about[name]}
            </Text>
          </Card>
        ))}
      </SimpleGrid>
    </Stack>
  )
}

function Report({ here, kind, search, onSearch }: ScreenProps & { kind: ReportKind }) {
  const { texts, language } = usePerson()
  const own = useOwnTexts(TEXTS)
  const operation = (here.organization !== null && kind.own?.operation) || kind.operation
  const { data, error, isPending, refetch } = useQuery({
    queryKey: [here.key, 'reports', kind.name, search],
    queryFn: async (): Promise<Item> => {
      const answer: unknown = await here.client.call(operation, search)
      return isItem(answer) ? answer : {}
    },
  })
  const rows = itemsOf(data?.['rows'])
  const generated = data?.['generated_at']
  return (
    <Stack>
      <div>
        <Anchor component={Link} to={`${here.path}/reports`} className="no-print">
          ← {texts.screens.reports}
        </Anchor>
      </div>
      <Group justify="space-between">
        <Title order={1} size="h2">
          {own.titles[kind.name]}
        </Title>
        <Group className="no-print">
          {(['csv', 'csv-br'] as const).map((format) => (
            <Paper
              key={format}
              label={own.formats[format]}
              client={here.client}
              operation={operation}
              at={{ ...search, format }}
            />
          ))}
        </Group>
      </Group>
      <Text c="dimmed">{own.about[kind.name]}</Text>
      <Parameters
        key={JSON.stringify(search)}
        here={here}
        kind={kind}
        search={search}
        error={error}
        {...{ onSearch }}
      />
      {error && <Problem error={error} retry={() => void refetch()} />}
      {isPending && !error && <Skeleton height={320} aria-hidden />}
      {data && rows.length === 0 && <Text c="dimmed">{own.empty}</Text>}
      {rows.length > 0 && <Charts kind={kind} rows={rows} period={takesMonths(kind) ? periodOf(search) : null} />}
      {rows.length > 0 && (
        <Card withBorder component="section">
          <Title order={2} size="h4" mb="sm">
            {own.figures}
          </Title>
          <Figures rows={rows} />
        </Card>
      )}
      {typeof generated === 'string' && (
        <Text size="sm" c="dimmed">
          {filled(own.asOf, { time: timeIn(language, generated) })}
        </Text>
      )}
    </Stack>
  )
}

/** What a screen has room for: the first ones, which are the largest where they have an order. */
const MOST_BARS = 24

type Period = { first: string; last: string }
type ChartsProps = { kind: ReportKind; rows: readonly Item[]; period: Period | null }

function Charts({ kind, rows, period }: ChartsProps) {
  const { texts, language } = usePerson()
  const own = useOwnTexts(TEXTS)
  const named = (name: string): string =>
    nameOf({ ...texts.values, ...texts.fields, ...own.columns, ...texts.statuses, ...own.series }, name)
  const charts = [...Map.groupBy(rows, kind.chart)]
  // The same in all charts, so that a color means the same.
  const series = [...new Set(rows.flatMap((row) => kind.parts(row).map(([name]) => name)))]
  return charts.map(([chart, of]) => {
    const bars = withAllMonths(barsOf(kind, of), period)
    const [company = '', currency = company] = chart.split(' ')
    const title = chart === '' ? own.titles[kind.name] : [...new Set([company, currency])].map(named).join(' · ')
    return (
      <Card key={chart} withBorder component="section">
        {chart !== '' && (
          <Title order={2} size="h4" mb="sm">
            {title}
          </Title>
        )}
        <Chart
          title={`${own.titles[kind.name]}: ${title}`}
          bars={bars.map(({ at, parts }) => ({
            at: at === chart ? title : isMonth(at) ? monthIn(language, at) : at,
            parts,
          }))}
          series={series}
          nameOf={named}
          written={(value) =>
            kind.isMoney
              ? new Intl.NumberFormat(language, { style: 'currency', currency: currency || 'BRL' }).format(value)
              : new Intl.NumberFormat(language).format(value)
          }
        />
      </Card>
    )
  })
}

/** A month without figures has its place too. */
function withAllMonths(bars: readonly Bar[], period: Period | null): readonly Bar[] {
  const [earliest = ''] = bars.map(({ at }) => at).toSorted()
  if (!isMonth(earliest)) return bars.slice(0, MOST_BARS)
  const of = new Map(bars.map((bar) => [bar.at, bar]))
  const { first, last } = period ?? {
    first: earliest,
    last:
      bars
        .map(({ at }) => at)
        .toSorted()
        .at(-1) ?? earliest,
  }
  return monthsFrom(first, last).map((at) => of.get(at) ?? { at, parts: new Map() })
}

function barsOf({ along, parts }: ReportKind, rows: readonly Item[]): Bar[] {
  const bars = new Map<string, Map<string, number>>()
  for (const row of rows) {
    const at = along(row)
    if (at === null) continue
    const bar = bars.get(at) ?? new Map<string, number>()
    for (const [series, value] of parts(row)) bar.set(series, (bar.get(series) ?? 0) + value)
    bars.set(at, bar)
  }
  return [...bars].map(([at, values]) => ({ at, parts: values }))
}
