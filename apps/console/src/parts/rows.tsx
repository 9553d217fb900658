// Records as the rows of a table; the first column is the link to the record.
import { Anchor, Table } from '@mantine/core'
import type { KeyboardEvent, ReactNode } from 'react'
import { usePerson } from '../context.tsx'
import { type Column, type Item, textOf } from '../resources/resource.ts'
import { isPlainClick } from './plain-click.ts'
import { isRight, Value } from './value.tsx'

type Choice = {
  keyOf: (record: Item) => string
  chosen: ReadonlySet<string>
  onChoose: (keys: ReadonlySet<string>) => void
}

type RowsProps = {
  columns: readonly Column[]
  items: readonly Item[]
  /** The address of the record of a row; none where it has none. */
  addressOf?: (record: Item) => string | null
  onOpen?: (record: Item) => void
  /** Rows that can be chosen, by their keys. */
  choice?: Choice
  /** What stands at the end of a row. */
  endOf?: (record: Item) => ReactNode
}

export function Rows({ columns: declared, items, addressOf, onOpen, choice, endOf }: RowsProps) {
  const { texts, isStaff } = usePerson()
  const columns = declared.filter(({ isStaffs }) => isStaff || !isStaffs)
  return (
    <Table.ScrollContainer className="cards" minWidth={Math.max(320, columns.length * COLUMN_PX)} type="native">
      <Table highlightOnHover={onOpen !== undefined} verticalSpacing="sm" onKeyDown={moveBetweenRows}>
        <Table.Thead>
          <Table.Tr>
            {choice && (
              <Table.Td w={CHOICE_PX}>
                <Choose
                  label={texts.list.chooseAll}
                  isChosen={items.every((record) => choice.chosen.has(choice.keyOf(record)))}
                  onChoose={(isChosen) => choice.onChoose(new Set(isChosen ? items.map(choice.keyOf) : []))}
                />
              </Table.Td>
            )}
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
                {choice && (
                  <Table.Td onClick={(event) => event.stopPropagation()}>
                    <Choose
                      label={`${texts.list.choose} ${choice.keyOf(record)}`}
                      isChosen={choice.chosen.has(choice.keyOf(record))}
                      onChoose={(isChosen) => {
                        const others = [...choice.chosen].filter((key) => key !== choice.keyOf(record))
                        choice.onChoose(new Set(isChosen ? [...others, choice.keyOf(record)] : others))
                      }}
                    />
                  </Table.Td>
                )}
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
                          if (!isPlainClick(event)) return event.stopPropagation()
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

type ChooseProps = { label: string; isChosen: boolean; onChoose: (isChosen: boolean) => void }

/** The browser's own: a list is on the first page, and its bytes are counted. The label makes it as large as a finger. */
function Choose({ label, isChosen, onChoose }: ChooseProps) {
  return (
    <label className="choice">
      <input
        type="checkbox"
        aria-label={label}
        checked={isChosen}
        onChange={(event) => onChoose(event.currentTarget.checked)}
      />
    </label>
  )
}

const CHOICE_PX = 44

/** Narrower columns break words: the table scrolls instead. On a small screen each row is a card (style.css). */
const COLUMN_PX = 100

/** J and K go to the next and to the previous row, as in a mail program. */
function moveBetweenRows(event: KeyboardEvent<HTMLElement>): void {
  const step = { j: 1, k: -1 }[event.key]
  if (step === undefined || (event.target instanceof HTMLInputElement && event.target.type !== 'checkbox')) return
  const links = [...event.currentTarget.querySelectorAll<HTMLElement>('tbody a')]
  const at = links.findIndex((one) => one === document.activeElement)
  links[at + step]?.focus()
}
