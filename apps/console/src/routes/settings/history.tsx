// How settings were before: each change with who made it and why.
import { Button, Card, Stack, Table, Text, Title } from '@mantine/core'
import { adminListSettingsHistory } from '@titular/sdk'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useNamesOfActs } from '../../parts/act-names.ts'
import { useOwnTexts, usePerson } from '../../context.tsx'
import { Problem } from '../../parts/problem.tsx'
import type { Here } from '../../place.ts'
import { isItem, type Item, textOf } from '../../resources/resource.ts'
import { nameOf, timeIn } from '../../texts/texts.ts'
import { settingsTexts } from './texts.ts'

/** A fiscal profile by its first day, or a label with its value. */
const partOf = ({ valid_from: from, label, value }: Item): string =>
  from === undefined ? `${textOf(label)} ${textOf(value)}` : textOf(from)

type HistoryProps = { here: Here; company: 'entity_br' | 'entity_global' | 'vendor' }

export function History({ here, company }: HistoryProps) {
  const { texts, language } = usePerson()
  const own = useOwnTexts(settingsTexts)
  const { data, error, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery({
    queryKey: [here.key, 'settings', company, 'history'],
    initialPageParam: 1,
    queryFn: ({ pageParam }) =>
      here.client.answer(adminListSettingsHistory, { company, page: pageParam, per_page: 50 }),
    getNextPageParam: (last, all) => ((last.meta?.pages ?? 1) > all.length ? all.length + 1 : undefined),
  })
  const { changerOf } = useNamesOfActs()
  const entries = data?.pages.flatMap((page) => page.data).toReversed() ?? []
  const written = (setting: string, value: unknown): string => {
    if (value === null) return own.byEnvironment
    if (typeof value === 'boolean') return value ? texts.act.yes : texts.act.no
    const all: readonly unknown[] = Array.isArray(value) ? value : [value]
    return all
      .map((one) => (isItem(one) ? partOf(one) : textOf(one)))
      .map((one) => own.values[`${setting}.${one}`] ?? own.values[one] ?? nameOf(texts.values, one))
      .join(', ')
  }
  return (
    <Card withBorder component="section">
      <Stack>
        <Title order={2} size="h4">
          {texts.sections.history}
        </Title>
        {error && <Problem error={error} />}
        {data && entries.length === 0 && <Text c="dimmed">{own.neverChanged}</Text>}
        {entries.length > 0 && (
          <Table.ScrollContainer minWidth={480} type="native">
            <Table>
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>{own.when}</Table.Th>
                  <Table.Th>{own.setting}</Table.Th>
                  <Table.Th>{own.before}</Table.Th>
                  <Table.Th>{own.after}</Table.Th>
                  <Table.Th>{own.who}</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {entries.map((entry) => (
                  <Table.Tr key={entry.id}>
                    <Table.Td>{timeIn(language, entry.changed_at)}</Table.Td>
                    <Table.Td>{nameOf(own.names, entry.setting)}</Table.Td>
                    <Table.Td c="dimmed">{written(entry.setting, entry.from_value)}</Table.Td>
                    <Table.Td>{written(entry.setting, entry.to_value)}</Table.Td>
                    <Table.Td>
                      {changerOf(entry)}
                      {entry.note && (
                        <Text size="sm" fs="italic">
                          {entry.note}
                        </Text>
                      )}
                    </Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </Table.ScrollContainer>
        )}
        {hasNextPage && (
          <Button variant="default" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {texts.list.more}
          </Button>
        )}
      </Stack>
    </Card>
  )
}
