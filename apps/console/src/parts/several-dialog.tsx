// The dialog of something that is done for several records: what is asked before, then how far it is and the result of each.
import { Button, Group, Stack, Text } from '@mantine/core'
import type { FormEvent, ReactNode } from 'react'
import { useOwnTexts, usePerson } from '../context.tsx'
import { filled } from '../texts/texts.ts'
import { Dialog } from './dialog.tsx'
import { Bar, Results } from './progress.tsx'
import { type Several, useProgress } from './several.ts'
import { SEVERAL_TEXTS } from './several-texts.ts'

type DialogProps = {
  several: Several
  isDangerous?: boolean
  onStart: () => Promise<void>
  onClose: () => void
  /** What is asked before it starts. */
  children?: ReactNode
}

export function SeveralDialog({ several, isDangerous = false, onStart, onClose, children }: DialogProps) {
  const { texts } = usePerson()
  const own = useOwnTexts(SEVERAL_TEXTS)
  const { name, chosen, possible, stop } = several
  const { state } = useProgress(several)
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    void onStart()
  }
  return (
    <Dialog size="lg" onClose={onClose} title={filled(own.title, { act: name, count: String(chosen.length) })}>
      <form onSubmit={submit} noValidate>
        <Stack>
          {state === 'asks' ? children : <Bar several={several} />}
          {state === 'runs' && (
            <Text size="sm" c="dimmed">
              {own.goesOn}
            </Text>
          )}
          <Results several={several} of={chosen} />
          <Group justify="flex-end">
            {state === 'runs' && (
              <Button variant="default" onClick={stop}>
                {own.stop}
              </Button>
            )}
            {state !== 'runs' && (
              <Button variant="default" onClick={onClose}>
                {state === 'ended' ? own.close : texts.act.cancel}
              </Button>
            )}
            {state === 'asks' && (
              <Button type="submit" disabled={possible.length === 0} {...(isDangerous && { color: 'red' })}>
                {filled(own.start, { act: name, count: String(possible.length) })}
              </Button>
            )}
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}
