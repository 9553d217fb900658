// Records as the rows of a table; the first column is the link to the record.
import { Anchor, Table } from '@mantine/core'
import type { KeyboardEvent, ReactNode } from 'react'
import { usePerson } from '../context.tsx'
import { type Column, type Item, textOf } from '../resources/resource.ts'
import { isRight, Value } from './value.tsx'

type RowsProps = {
  columns: readonly Column[]
  items: readonly Item[]
  /** The address of the record of a row; none where it has none. */
  addressOf?: (record: Item) => string | null
  onOpen?: (record: Item) => void
  /** What stands at the end of a row. */
  endOf?: (record: Item) => ReactNode
}

export function Rows({ columns: declared, items, addressOf, onOpen, endOf }: RowsProps) {
  const { texts, isStaff } = usePerson()
  const columns = declared.filter(({ isStaffs }) => isStaff || !isStaffs)
  return (
    <Table.ScrollContainer className="cards" minWidth={Math.max(320, columns.length * COLUMN_PX)} type="native">
      <Table highlightOnHover={onOpen !== undefined} verticalSpacing="sm" onKeyDown={moveBetweenRows}>
        <Table.Thead>
          <Table.Tr>
            {columns.map((column) => (
              <Table.Th key={column.field} ta={isRight(column) ? 'right' : 'left'}>
                {texts.fields[column.field]}
              </Table.Th>
            ))}
            {endOf && <Table.Td />}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {items.map((record, index) => {
            const address = addressOf?.(record) ?? null
            return (
              <Table.Tr
                key={textOf(record['id'] ?? record['order_id']) || index}
                style={address === null ? undefined : { cursor: 'pointer' }}
                onClick={() => address !== null && onOpen?.(record)}
              >
                {columns.map((column, place) => (
                  <Table.Td
                    key={column.field}
                    data-label={texts.fields[column.field]}
                    ta={isRight(column) ? 'right' : 'left'}
                  >
                    {place === 0 && address !== null ? (
                      <Anchor
                        href={address}
                        underline="never"
                        onClick={(event) => {
                          if (event.metaKey || event.ctrlKey || event.shiftKey) return event.stopPropagation()
                          event.preventDefault()
                        }}
                      >
                        <Value column={column} record={record} />
                      </Anchor>
                    ) : (
                      <Value column={column} record={record} />
                    )}
                  </Table.Td>
                ))}
                {endOf && <Table.Td ta="right">{endOf(record)}</Table.Td>}
              </Table.Tr>
            )
          })}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}

/** Narrower columns break words: the table scrolls instead. On a small screen each row is a card (style.css). */
const COLUMN_PX = 100

/** J and K go to the next and to the previous row, as in a mail program. */
function moveBetweenRows(event: KeyboardEvent<HTMLElement>): void {
  const step = { j: 1, k: -1 }[event.key]
  if (step === undefined || event.target instanceof HTMLInputElement) return
  const links = [...event.currentTarget.querySelectorAll<HTMLElement>('tbody a')]
  const at = links.findIndex((one) => one === document.activeElement)
  links[at + step]?.focus()
}
