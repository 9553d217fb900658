// How far something is that is done for several records.
import { Progress, Stack, Table, Text } from '@mantine/core'
import { useOwnTexts } from '../context.tsx'
import { filled } from '../texts/texts.ts'
import { type OneOfSeveral, type Result, type Several, useProgress } from './several.ts'
import { SEVERAL_TEXTS } from './several-texts.ts'

export function Bar({ several }: { several: Several }) {
  const own = useOwnTexts(SEVERAL_TEXTS)
  const { ended } = useProgress(several)
  const all = several.possible.length
  return (
    <Stack gap={4} role="status">
      <Progress value={all === 0 ? 100 : (ended / all) * 100} aria-label={own.progress} />
      <Text size="sm">{filled(own.count, { done: String(ended), all: String(all) })}</Text>
    </Stack>
  )
}

export function Results({ several, of }: { several: Several; of: readonly OneOfSeveral[] }) {
  const { results } = useProgress(several)
  return (
    <Table>
      <Table.Tbody>
        {of.map(({ key, title }) => (
          <Table.Tr key={key}>
            <Table.Td>{title}</Table.Td>
            <Table.Td>
              <Outcome result={results.get(key) ?? 'waits'} />
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}

function Outcome({ result }: { result: Result }) {
  const own = useOwnTexts(SEVERAL_TEXTS)
  if (typeof result === 'object') return <Text c="red">✗ {result.problem}</Text>
  return <Text {...(result !== 'done' && { c: 'dimmed' })}>{own.results[result]}</Text>
}
