// Which field each column of the file is; an empty one is left out.
import { Card, Stack, Table, Text, TextInput, Title } from '@mantine/core'
import { useOwnTexts } from '../../context.tsx'
import { importTexts } from './texts.ts'

type Fields = Readonly<Record<string, string>>
type MappingProps = { columns: readonly string[]; fields: Fields; onChange: (fields: Fields) => void }

export function Mapping({ columns, fields, onChange }: MappingProps) {
  const own = useOwnTexts(importTexts)
  return (
    <Card withBorder component="section">
      <Stack>
        <Title order={2} size="h4">
          {own.mapping}
        </Title>
        <Text size="sm" c="dimmed">
          {own.mappingHelp}
        </Text>
        <Table>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{own.column}</Table.Th>
              <Table.Th>{own.field}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {columns.map((column) => (
              <Table.Tr key={column}>
                <Table.Td style={{ overflowWrap: 'anywhere' }}>{column}</Table.Td>
                <Table.Td>
                  <TextInput
                    aria-label={`${own.field}: ${column}`}
                    placeholder={own.leftOut}
                    value={fields[column] ?? column}
                    onChange={(event) => onChange({ ...fields, [column]: event.currentTarget.value })}
                  />
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Stack>
    </Card>
  )
}
