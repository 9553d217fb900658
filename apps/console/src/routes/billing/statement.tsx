// The statement of account of an organization, of one legal entity in one currency.
import { Anchor, Button, Card, Group, Select, Skeleton, Stack, Table, Text, TextInput, Title } from '@mantine/core'
import * as api from '@titular/sdk'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { useOwnTexts, usePerson } from '../../context.tsx'
import { Paper } from '../../parts/paper.tsx'
import { Problem } from '../../parts/problem.tsx'
import type { ScreenProps } from '../../screens.ts'
import { dayIn, moneyIn, nameOf } from '../../texts/texts.ts'
import { TEXTS } from './texts.ts'

/** Where the record of a line is. */
const PLACES: Readonly<Record<string, string>> = {
  invoice: 'invoices',
  invoice_voided: 'invoices',
  credit_note: 'credit-notes',
  payment: 'payments',
  refund: 'refunds',
}

type StatementQuery = { company: 'entity_br' | 'entity_global'; currency: string; date_from?: string; date_to?: string }

export function Screen({ here, search, onSearch }: ScreenProps) {
  const { texts, language } = usePerson()
  const own = useOwnTexts(TEXTS)
  // Of the legal entity that billed them last, unless the address names one.
  const isNamed = search['company'] !== undefined
  const newest = useQuery({
    queryKey: [here.key, 'account-statement', 'newest'],
    enabled: !isNamed,
    queryFn: () => here.client.call(api.listInvoices, { per_page: 1 }),
  })
  const isGlobal = (search['company'] ?? newest.data?.[0]?.company) === 'entity_global'
  const asked: StatementQuery = {
    company: isGlobal ? 'entity_global' : 'entity_br',
    currency: String(search['currency'] ?? newest.data?.[0]?.currency ?? (isGlobal ? 'USD' : 'BRL')),
    ...(search['date_from'] !== undefined && { date_from: String(search['date_from']) }),
    ...(search['date_to'] !== undefined && { date_to: String(search['date_to']) }),
  }
  const { data, error, isPending, refetch } = useQuery({
    queryKey: [here.key, 'account-statement', asked],
    enabled: isNamed || !newest.isPending,
    queryFn: () => here.client.call(api.getAccountStatement, asked),
  })
  const money = (amount: string): string => moneyIn(language, amount, asked.currency)
  return (
    <Stack>
      <Group justify="space-between">
        <Title order={1} size="h2">
          {texts.screens['account-statement']}
        </Title>
        <Group className="no-print">
          <Paper label="PDF" client={here.client} operation={api.downloadAccountStatementPdf} at={asked} />
          <Paper label="CSV" client={here.client} operation={api.downloadAccountStatementCsv} at={asked} />
        </Group>
      </Group>
      <Period key={JSON.stringify(asked)} asked={asked} onSearch={onSearch} />
      {error && <Problem error={error} retry={() => void refetch()} />}
      {isPending && !error && <Skeleton height={240} aria-hidden />}
      {data && (
        <Card withBorder>
          <Table.ScrollContainer minWidth={320} type="native" className="cards">
            <Table verticalSpacing="xs" style={{ fontVariantNumeric: 'tabular-nums' }}>
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>{texts.fields.date}</Table.Th>
                  <Table.Th>{own.what}</Table.Th>
                  <Table.Th ta="right">{texts.fields.amount}</Table.Th>
                  <Table.Th ta="right">{texts.fields.balance}</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                <Sum label={own.opening} amount={money(data.opening)} />
                {data.lines.map(({ date, kind, id, reference, amount, balance }, index) => (
                  // oxlint-disable-next-line react/no-array-index-key -- an invoice can have several lines
                  <Table.Tr key={index}>
                    <Table.Td data-label={texts.fields.date}>
                      <time>{dayIn(language, date)}</time>
                    </Table.Td>
                    <Table.Td data-label={own.what}>
                      <span>
                        {nameOf(own.kinds, kind)}{' '}
                        {PLACES[kind] === undefined ? (
                          reference
                        ) : (
                          <Anchor component={Link} to={`${here.path}/${PLACES[kind]}/${id}`}>
                            {reference ?? `#${id}`}
                          </Anchor>
                        )}
                      </span>
                    </Table.Td>
                    <Table.Td ta="right" data-label={texts.fields.amount} style={{ whiteSpace: 'nowrap' }}>
                      {money(amount)}
                    </Table.Td>
                    <Table.Td ta="right" data-label={texts.fields.balance} style={{ whiteSpace: 'nowrap' }}>
                      {money(balance)}
                    </Table.Td>
                  </Table.Tr>
                ))}
                <Sum label={own.closing} amount={money(data.closing)} />
              </Table.Tbody>
            </Table>
          </Table.ScrollContainer>
          {data.lines.length === 0 && <Text c="dimmed">{texts.list.empty}</Text>}
        </Card>
      )}
    </Stack>
  )
}

function Sum({ label, amount }: { label: string; amount: string }) {
  return (
    <Table.Tr fw={600}>
      <Table.Td colSpan={3}>{label}</Table.Td>
      <Table.Td ta="right" style={{ whiteSpace: 'nowrap' }}>
        {amount}
      </Table.Td>
    </Table.Tr>
  )
}

function Period({ asked, onSearch }: { asked: StatementQuery; onSearch: ScreenProps['onSearch'] }) {
  const { texts } = usePerson()
  const own = useOwnTexts(TEXTS)
  const [company, setCompany] = useState<string>(asked.company)
  const [currency, setCurrency] = useState(asked.currency)
  const [from, setFrom] = useState(asked.date_from ?? '')
  const [to, setTo] = useState(asked.date_to ?? '')
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    onSearch({
      company,
      currency: currency.trim().toUpperCase(),
      ...(from !== '' && { date_from: from }),
      ...(to !== '' && { date_to: to }),
    })
  }
  return (
    <form onSubmit={submit} className="no-print">
      <Group align="flex-end">
        <Select
          label={texts.fields.company}
          w={160}
          allowDeselect={false}
          data={(['entity_br', 'entity_global'] as const).map((value) => ({ value, label: texts.values[value] }))}
          value={company}
          onChange={(chosen) => setCompany(chosen ?? 'entity_br')}
        />
        <TextInput
          label={texts.fields.currency}
          w={100}
          value={currency}
          onChange={(event) => setCurrency(event.currentTarget.value)}
        />
        <TextInput label={own.from} type="date" value={from} onChange={(event) => setFrom(event.currentTarget.value)} />
        <TextInput label={own.to} type="date" value={to} onChange={(event) => setTo(event.currentTarget.value)} />
        <Button type="submit">{own.show}</Button>
      </Group>
    </form>
  )
}
