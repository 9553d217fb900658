// The rows of a report, as they are.
import { Pagination, Stack, Table } from '@mantine/core'
import { useState } from 'react'
import { useOwnTexts, usePerson } from '../../context.tsx'
import { type Item, textOf } from '../../resources/resource.ts'
import { dayIn, filled, moneyIn, monthIn, nameOf, timeIn } from '../../texts/texts.ts'
import { isMonth } from './months.ts'
import { TEXTS } from './texts.ts'

const PER_PAGE = 50

const isMoney = (value: unknown): value is string => typeof value === 'string' && /^-?\d+\.\d{2,4}$/.test(value)
const isNumber = (value: unknown): boolean => typeof value === 'number' || isMoney(value)

export function Figures({ rows }: { rows: readonly Item[] }) {
  const { texts } = usePerson()
  const own = useOwnTexts(TEXTS)
  const [page, setPage] = useState(1)
  const columns = Object.keys(rows[0] ?? {}).filter((name) => rows.some((row) => (row[name] ?? '') !== ''))
  const isRight = (name: string): boolean => rows.every((row) => row[name] === null || isNumber(row[name]))
  const names = { ...texts.fields, ...own.columns }
  return (
    <Stack>
      <Table.ScrollContainer className="cards" minWidth={320} type="native">
        <Table verticalSpacing="xs" fz="sm">
          <Table.Thead>
            <Table.Tr>
              {columns.map((name) => (
                <Table.Th key={name} ta={isRight(name) ? 'right' : 'left'}>
                  {nameOf(names, name)}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.slice((page - 1) * PER_PAGE, page * PER_PAGE).map((row, index) => (
              // oxlint-disable-next-line react/no-array-index-key -- rows of a report have no name
              <Table.Tr key={index}>
                {columns.map((name) => (
                  <Table.Td
                    key={name}
                    data-label={nameOf(names, name)}
                    ta={isRight(name) ? 'right' : 'left'}
                    style={{ fontVariantNumeric: 'tabular-nums', whiteSpace: isRight(name) ? 'nowrap' : undefined }}
                  >
                    <span>
                      <Figure name={name} row={row} />
                    </span>
                  </Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      {rows.length > PER_PAGE && (
        <Pagination
          total={Math.ceil(rows.length / PER_PAGE)}
          value={page}
          onChange={setPage}
          getItemProps={(one) => ({ 'aria-label': filled(texts.list.page, { page: String(one) }) })}
        />
      )}
    </Stack>
  )
}

function Figure({ name, row }: { name: string; row: Item }) {
  const { texts, language } = usePerson()
  const value = row[name]
  if (typeof value === 'boolean') return value ? texts.act.yes : texts.act.no
  if (typeof value === 'number') return name === 'id' ? String(value) : new Intl.NumberFormat(language).format(value)
  const text = textOf(value)
  if (text === '') return '–'
  if (isMoney(value)) return moneyIn(language, value, textOf(row['currency']))
  if (isMonth(text)) return monthIn(language, text)
  if (/^\d{4}-\d\d-\d\d$/.test(text)) return dayIn(language, text)
  if (/^\d{4}-\d\d-\d\dT/.test(text)) return timeIn(language, text)
  return nameOf(name === 'status' ? texts.statuses : { ...texts.records, ...texts.values }, text)
}
