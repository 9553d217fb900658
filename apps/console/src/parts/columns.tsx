// Which columns a list shows: chosen here, kept in the address.
import { Button, Checkbox, Popover, Stack } from '@mantine/core'
import { usePerson } from '../context.tsx'
import { type Column } from '../resources/resource.ts'
import { chosenOf } from './chosen-columns.ts'

type ColumnsProps = {
  columns: readonly Column[]
  /** By comma, as in the address; empty shows all. */
  chosen: string
  onChoose: (chosen: string) => void
}

export function Columns({ columns, chosen, onChoose }: ColumnsProps) {
  const { texts } = usePerson()
  const shown = chosenOf(columns, chosen)
  return (
    <Popover position="bottom-end" withinPortal={false} trapFocus returnFocus>
      <Popover.Target>
        <Button variant="default">{texts.list.columns} ▾</Button>
      </Popover.Target>
      <Popover.Dropdown>
        <Stack gap="xs">
          {columns.map((column) => {
            const isShown = shown.includes(column)
            return (
              <Checkbox
                key={column.field}
                label={texts.fields[column.field]}
                checked={isShown}
                // The last one stays: a list of nothing says nothing.
                disabled={isShown && shown.length === 1}
                onChange={() => {
                  const next = columns.filter((one) => (one === column ? !isShown : shown.includes(one)))
                  onChoose(next.length === columns.length ? '' : next.map(({ field }) => field).join(','))
                }}
              />
            )
          })}
        </Stack>
      </Popover.Dropdown>
    </Popover>
  )
}
