// How everything hangs on an entitlement, from the quote to what runs: a picture whose boxes open the records.
import { Anchor, Card, Group, Skeleton, Stack, Text, Title } from '@mantine/core'
import { getEntitlementLineage, type Lineage } from '@titular/sdk'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useOwnTexts, usePerson } from '../../context.tsx'
import { Problem } from '../../parts/problem.tsx'
import { Status } from '../../parts/status.tsx'
import type { ScreenProps } from '../../screens.ts'
import type { Texts } from '../../texts/en.ts'
import { filled, moneyIn, ownTexts } from '../../texts/texts.ts'

const TEXTS = ownTexts({
  en: { title: 'What hangs together', back: 'Back to the entitlement', more: '{count} more' },
  'pt-BR': { title: 'O que está ligado', back: 'Voltar à contratação', more: 'mais {count}' },
})

type Box = { resource: keyof Texts['resources']; id: number; title: string; status: string; note?: string }

/** Side by side: what was offered, ordered, billed, and what is delivered for it. */
function columnsOf(lineage: Lineage, money: (amount: string, currency: string) => string): readonly (readonly Box[])[] {
  const { quote, order, invoices, tax_invoices, licenses, environments, services, contracts, tickets } = lineage
  const sold = (one: { total: string; currency: string }): { note: string } => ({
    note: money(one.total, one.currency),
  })
  return [
    quote ? [{ resource: 'quotes', id: quote.id, title: quote.number, status: quote.status, ...sold(quote) }] : [],
    order ? [{ resource: 'orders', id: order.id, title: order.number, status: order.status, ...sold(order) }] : [],
    [
      ...(invoices ?? []).map((one): Box => ({
        resource: 'invoices',
        id: one.id,
        title: one.number ?? '',
        status: one.status,
        ...sold(one),
      })),
      ...(tax_invoices ?? []).map((one): Box => ({
        resource: 'tax-invoices',
        id: one.id,
        title: `NFS-e ${one.nfse_number ?? ''}`,
        status: one.status,
        ...sold(one),
      })),
    ],
    [
      ...(licenses ?? []).map((one): Box => ({
        resource: 'licenses',
        id: one.id,
        title: one.license_key,
        status: one.status,
      })),
      ...(environments ?? []).map((one): Box => ({
        resource: 'environments',
        id: one.id,
        title: one.name,
        status: one.status,
      })),
      ...(services ?? []).map((one): Box => ({
        resource: 'services',
        id: one.id,
        title: one.name,
        status: one.status,
      })),
    ],
    [
      ...(contracts ?? []).map((one): Box => ({
        resource: 'contracts',
        id: one.id,
        title: one.title,
        status: one.status,
      })),
      ...(tickets ?? []).map((one): Box => ({
        resource: 'tickets',
        id: one.id,
        title: `${one.number} ${one.title}`,
        status: one.status,
      })),
    ],
  ]
}

const [WIDTH, HEIGHT, GAP] = [220, 104, 28]

export function Screen({ here, rest }: ScreenProps) {
  const { texts, language } = usePerson()
  const own = useOwnTexts(TEXTS)
  const id = Number(rest)
  const { data, error, isPending } = useQuery({
    queryKey: [here.key, 'lineage', id],
    queryFn: () => here.client.call(getEntitlementLineage, { id }),
  })
  if (error) return <Problem error={error} />
  if (isPending) return <Skeleton height={320} aria-hidden />
  const columns = columnsOf(data, (amount, currency) => moneyIn(language, amount, currency)).filter(
    (one) => one.length > 0,
  )
  const rows = Math.max(1, ...columns.map(({ length }) => length))
  return (
    <Stack>
      <Anchor component={Link} to={`${here.path}/entitlements/${id}`}>
        ← {own.back}
      </Anchor>
      <Title order={1} size="h2">
        {own.title}
      </Title>
      <div style={{ overflowX: 'auto' }}>
        <div style={{ position: 'relative', width: columns.length * (WIDTH + GAP), height: rows * (HEIGHT + GAP) }}>
          <Connectors counts={columns.map(({ length }) => length)} />
          {columns.map((boxes, column) =>
            boxes.map((box, row) => (
              <Card
                key={`${box.resource} ${box.id}`}
                withBorder
                padding="sm"
                style={{
                  position: 'absolute',
                  width: WIDTH,
                  height: HEIGHT,
                  left: column * (WIDTH + GAP),
                  top: row * (HEIGHT + GAP),
                }}
              >
                <Text size="xs" c="dimmed">
                  {texts.resources[box.resource]}
                </Text>
                <Anchor
                  component={Link}
                  to={`${here.path}/${box.resource}/${box.id}`}
                  truncate
                  fw={600}
                  title={box.title}
                >
                  {box.title}
                </Anchor>
                <Group justify="space-between" mt="auto" wrap="nowrap">
                  <Status value={box.status} />
                  {box.note && <Text size="sm">{box.note}</Text>}
                </Group>
              </Card>
            )),
          )}
        </div>
      </div>
      <More lineage={data} more={own.more} />
    </Stack>
  )
}

const middle = (row: number): number => row * (HEIGHT + GAP) + HEIGHT / 2

/** From each box of a column to the first of the next, and from that to the others. */
function Connectors({ counts }: { counts: readonly number[] }) {
  const paths = counts.slice(1).flatMap((count, index) => {
    const start = index * (WIDTH + GAP) + WIDTH
    return Array.from({ length: count }, (_, row) => {
      const bend = start + GAP / 2
      return `M ${start} ${middle(0)} H ${bend} V ${middle(row)} H ${start + GAP}`
    })
  })
  return (
    <svg
      aria-hidden
      width="100%"
      height="100%"
      style={{ position: 'absolute' }}
      fill="none"
      stroke="var(--mantine-color-default-border)"
      strokeWidth={2}
    >
      {paths.map((path) => (
        <path key={path} d={path} />
      ))}
    </svg>
  )
}

/** The picture has the newest of each kind; the lists have all of them. */
function More({ lineage, more }: { lineage: Lineage; more: string }) {
  const { texts } = usePerson()
  const kinds = [
    ['invoices', 'invoices'],
    ['tax_invoices', 'tax-invoices'],
    ['licenses', 'licenses'],
    ['tickets', 'tickets'],
  ] as const
  return (
    <Group>
      {kinds.map(([kind, resource]) => {
        const rest = (lineage.counts[kind] ?? 0) - (lineage[kind]?.length ?? 0)
        return rest > 0 ? (
          <Text key={kind} size="sm" c="dimmed">
            {texts.resources[resource]}: {filled(more, { count: String(rest) })}
          </Text>
        ) : null
      })}
    </Group>
  )
}
