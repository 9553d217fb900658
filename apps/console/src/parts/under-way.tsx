// What goes on for several records after its dialog was closed: in a corner of every screen, until its end was seen.
import { Button, Group, Paper, Stack, Text } from '@mantine/core'
import { useOwnTexts, usePerson } from '../context.tsx'
import { filled } from '../texts/texts.ts'
import { Bar, Results } from './progress.tsx'
import { dismiss, type Several, useProgress, useUnderWay } from './several.ts'
import { SEVERAL_TEXTS } from './several-texts.ts'

export function UnderWay() {
  const own = useOwnTexts(SEVERAL_TEXTS)
  const { user } = usePerson()
  // Another person may have signed in in this tab.
  const all = useUnderWay().filter(({ userId }) => userId === user.id)
  if (all.length === 0) return null
  return (
    <section className="under-way no-print" aria-label={own.underWay}>
      {all.map((several, place) => (
        <One key={place} several={several} />
      ))}
    </section>
  )
}

function One({ several }: { several: Several }) {
  const own = useOwnTexts(SEVERAL_TEXTS)
  const { name, possible, stop } = several
  const { results, state } = useProgress(several)
  const failed = possible.filter(({ key }) => state === 'ended' && results.get(key) !== 'done')
  return (
    <Paper withBorder shadow="md" p="sm">
      <Stack gap="xs">
        <Text fw={600}>{name}</Text>
        <Bar several={several} />
        {failed.length > 0 && (
          <details>
            <summary>{filled(own.failed, { count: String(failed.length) })}</summary>
            <Results several={several} of={failed} />
          </details>
        )}
        <Group justify="flex-end">
          {state === 'runs' ? (
            <Button size="xs" variant="default" onClick={stop}>
              {own.stop}
            </Button>
          ) : (
            <Button size="xs" variant="default" onClick={() => dismiss(several)}>
              {own.close}
            </Button>
          )}
        </Group>
      </Stack>
    </Paper>
  )
}
