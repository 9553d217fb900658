// What is open of an organization, one kind at a time, and whom its mails reach.
import { Anchor, Card, Group, Stack, Tabs, Text, Title } from '@mantine/core'
import {
  type AnyOperation,
  getOrganizationContacts,
  listEntitlements,
  listInvoices,
  listSubscriptions,
  listTickets,
} from '@titular/sdk'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useOwnTexts, usePerson } from '../../context.tsx'
import type { Search } from '../../parts/list.tsx'
import { Problem } from '../../parts/problem.tsx'
import { Rows } from '../../parts/rows.tsx'
import { addressOf, type Here } from '../../place.ts'
import { type Column, isItem, type Item, itemsOf } from '../../resources/resource.ts'
import { kindByName } from '../../resources/directory.ts'
import { glanceTexts } from './texts.ts'

type Tab = {
  name: 'tickets' | 'invoices' | 'subscriptions' | 'entitlements' | 'contacts'
  scope: string
  list: AnyOperation
  parameters: Item
  columns: readonly Column[]
}

const PER_PAGE = 10

const TABS: readonly Tab[] = [
  {
    name: 'tickets',
    scope: 'tickets',
    list: listTickets,
    parameters: { status: ['open', 'in_progress', 'waiting'], sort: 'next_due_at' },
    columns: [
      { field: 'number', as: 'code' },
      { field: 'title' },
      { field: 'status', as: 'status' },
      { field: 'priority', as: 'value' },
      { field: 'next_due_at', as: 'time' },
    ],
  },
  {
    name: 'invoices',
    scope: 'finances',
    list: listInvoices,
    parameters: { status: ['open'], sort: 'due_date' },
    columns: [
      { field: 'number', as: 'code' },
      { field: 'status', as: 'status' },
      { field: 'due_date', as: 'date' },
      { field: 'amount_due', as: 'money' },
    ],
  },
  {
    name: 'subscriptions',
    scope: 'orders',
    list: listSubscriptions,
    parameters: { status: ['requested', 'active', 'trialing', 'incomplete', 'past_due', 'unpaid', 'paused'] },
    columns: [
      { field: 'order_id', as: 'code' },
      { field: 'status', as: 'status' },
      { field: 'next_invoice_at', as: 'time' },
      { field: 'amount', as: 'money' },
    ],
  },
  {
    name: 'entitlements',
    scope: 'entitlements',
    list: listEntitlements,
    parameters: { status: ['active', 'suspended'], sort: 'expires_at' },
    columns: [
      { field: 'code', as: 'code' },
      { field: 'product_name' },
      { field: 'status', as: 'status' },
      { field: 'expires_at', as: 'time' },
    ],
  },
  {
    name: 'contacts',
    scope: 'organization',
    list: getOrganizationContacts,
    parameters: {},
    columns: [
      { field: 'role', as: 'value' },
      { field: 'name' },
      { field: 'email' },
      { field: 'gets_mail', as: 'yesNo' },
      { field: 'is_confirmed', as: 'yesNo' },
    ],
  },
]

type OpenProps = { here: Here; search: Search; onSearch: (search: Search) => void }

export function Open({ here, search, onSearch }: OpenProps) {
  const { mayIn } = usePerson()
  const own = useOwnTexts(glanceTexts)
  const seen = TABS.filter(({ scope }) => mayIn(here, scope, 'read'))
  const tab = seen.find(({ name }) => name === search['open']) ?? seen[0]
  if (!tab) return null
  return (
    <Card withBorder component="section">
      <Stack>
        <Title order={2} size="h4">
          {own.open}
        </Title>
        <Tabs
          value={tab.name}
          onChange={(open) => onSearch({ ...search, open: open ?? undefined })}
          keepMounted={false}
        >
          <Tabs.List>
            {seen.map(({ name }) => (
              <Tabs.Tab key={name} value={name}>
                {own[name]}
              </Tabs.Tab>
            ))}
          </Tabs.List>
          <Tabs.Panel value={tab.name} pt="sm">
            <Listed here={here} tab={tab} />
          </Tabs.Panel>
        </Tabs>
      </Stack>
    </Card>
  )
}

function Listed({ here, tab }: { here: Here; tab: Tab }) {
  const { texts } = usePerson()
  const own = useOwnTexts(glanceTexts)
  const navigate = useNavigate()
  const { name, list, parameters, columns } = tab
  const isPaged = list.answer === 'page' || list.answer === 'cursor'
  const kind = kindByName(name)
  const { data, error, refetch } = useQuery({
    queryKey: [here.key, 'open', name],
    queryFn: () =>
      here.client.answer(list, isPaged ? { ...parameters, per_page: PER_PAGE } : { id: here.organization }),
    placeholderData: keepPreviousData,
  })
  if (error) return <Problem error={error} retry={() => void refetch()} />
  if (!data) return <Text c="dimmed">{texts.act.working}</Text>
  const found: unknown = data.data
  const items = itemsOf(isItem(found) && !Array.isArray(found) ? found['contacts'] : found)
  if (items.length === 0) return <Text c="dimmed">{own.none[name]}</Text>
  const pageOf = (record: Item): string | null => (kind ? addressOf(here, kind, record) : null)
  return (
    <Stack>
      <Rows
        columns={columns}
        items={items}
        addressOf={(record) => {
          const address = pageOf(record)
          return address === null ? null : `/app${address}`
        }}
        onOpen={(record) => void navigate({ to: pageOf(record) ?? here.path })}
      />
      {kind && (data.meta?.total ?? 0) > items.length && (
        <Group>
          <Anchor component={Link} to={`${here.path}/${name}`}>
            {texts.list.more}
          </Anchor>
        </Group>
      )}
    </Stack>
  )
}
