// Something that is done for several records: a request for each, four at most at once, the result of each beside it.
// It can be stopped.
import { Button, Group, Progress, Stack, Table, Text } from '@mantine/core'
import { ValidationError } from '@titular/sdk'
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { Dialog } from './dialog.tsx'
import { noteFailure } from '../client.ts'
import { useOwnTexts, usePerson } from '../context.tsx'
import { type Here, hereIn } from '../place.ts'
import { type Item, keyOf, type Resource } from '../resources/resource.ts'
import { filled, ownTexts } from '../texts/texts.ts'
import { sentenceOf } from './problem.tsx'

export type OneOfSeveral = { record: Item; key: string; place: Here }

type SeveralOptions = {
  resource: Resource
  here: Here
  records: readonly Item[]
  isOffered: (record: Item) => boolean
  /** Whether each is asked for in its own organization. */
  isOfOrganization: boolean
  send: (one: OneOfSeveral) => Promise<void>
}

type Result = 'waits' | 'runs' | 'done' | 'left' | { problem: string }

const AT_ONCE = 4

export type Several = ReturnType<typeof useSeveral>

export function useSeveral({ resource, here, records, isOffered, isOfOrganization, send }: SeveralOptions) {
  const { texts, language } = usePerson()
  // As it was chosen: a list that is read again meanwhile changes nothing of it.
  const [chosen] = useState(() =>
    records.map((record): OneOfSeveral => {
      const place = isOfOrganization ? hereIn(ownerOf(record) ?? here.organization, language) : here
      return { record, key: keyOf(resource, record), place }
    }),
  )
  const [results, setResults] = useState<ReadonlyMap<string, Result>>(
    () => new Map(chosen.map(({ record, key }) => [key, isOffered(record) ? 'waits' : 'left'])),
  )
  const [state, setState] = useState<'asks' | 'runs' | 'ended'>('asks')
  const isStopped = useRef(false)
  useEffect(() => {
    if (state !== 'runs') return
    // What has not begun yet would be lost with the page.
    const ask = (event: BeforeUnloadEvent): void => event.preventDefault()
    globalThis.addEventListener('beforeunload', ask)
    return () => globalThis.removeEventListener('beforeunload', ask)
  }, [state])
  const possible = chosen.filter(({ key }) => results.get(key) !== 'left')
  const note = (key: string, result: Result): void => setResults((all) => new Map(all).set(key, result))

  /** Gives what went wrong. */
  async function attempt(one: OneOfSeveral): Promise<unknown> {
    note(one.key, 'runs')
    try {
      await send(one)
      note(one.key, 'done')
      return null
    } catch (failure) {
      noteFailure(failure)
      note(one.key, { problem: sentenceOf(failure, texts) })
      return failure
    }
  }

  /** The first goes alone, so that a proof, a reason or a field that is wrong is asked for once. Gives what is wrong. */
  async function run(): Promise<ValidationError | null> {
    setState('runs')
    isStopped.current = false
    const rest = [...possible]
    const first = rest.shift()
    const failure = first ? await attempt(first) : null
    if (first && failure instanceof ValidationError) {
      note(first.key, 'waits')
      setState('asks')
      return failure
    }
    const goOn = async (): Promise<void> => {
      for (let next = rest.shift(); next && !isStopped.current; next = rest.shift()) await attempt(next)
    }
    await Promise.all(Array.from({ length: AT_ONCE }, goOn))
    setState('ended')
    return null
  }
  return { resource, chosen, possible, results, state, run, stop: () => void (isStopped.current = true) }
}

type DialogProps = {
  several: Several
  name: string
  isDangerous?: boolean
  onStart: () => Promise<void>
  onClose: () => void
  /** What is asked before it starts. */
  children?: ReactNode
}

export function SeveralDialog({ several, name, isDangerous = false, onStart, onClose, children }: DialogProps) {
  const { texts } = usePerson()
  const own = useOwnTexts(TEXTS)
  const { resource, chosen, possible, results, state, stop } = several
  const ended = possible.filter(({ key }) => isEnded(results.get(key))).length
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    void onStart()
  }
  return (
    <Dialog
      size="lg"
      onClose={() => {
        stop()
        onClose()
      }}
      title={filled(own.title, { act: name, count: String(chosen.length) })}
    >
      <form onSubmit={submit} noValidate>
        <Stack>
          {state === 'asks' ? (
            children
          ) : (
            <Stack gap={4} role="status">
              <Progress
                value={possible.length === 0 ? 100 : (ended / possible.length) * 100}
                aria-label={own.progress}
              />
              <Text size="sm">{filled(own.count, { done: String(ended), all: String(possible.length) })}</Text>
            </Stack>
          )}
          <Table>
            <Table.Tbody>
              {chosen.map(({ record, key }) => (
                <Table.Tr key={key}>
                  <Table.Td>{resource.titleOf(record) || key}</Table.Td>
                  <Table.Td>
                    <Outcome result={results.get(key) ?? 'waits'} />
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
          <Group justify="flex-end">
            {state === 'runs' ? (
              <Button variant="default" onClick={stop}>
                {own.stop}
              </Button>
            ) : (
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

function Outcome({ result }: { result: Result }) {
  const own = useOwnTexts(TEXTS)
  if (typeof result === 'object') return <Text c="red">✗ {result.problem}</Text>
  return <Text {...(result !== 'done' && { c: 'dimmed' })}>{own.results[result]}</Text>
}

const isEnded = (result: Result | undefined): boolean => result === 'done' || typeof result === 'object'

const ownerOf = ({ organization_id: owner }: Item): number | null => (typeof owner === 'number' ? owner : null)

const TEXTS = ownTexts({
  en: {
    title: '{act}: {count} chosen',
    start: '{act} ({count})',
    stop: 'Stop',
    close: 'Close',
    progress: 'How far it is',
    count: '{done} of {all}',
    results: { waits: 'Waits', runs: 'One moment …', done: '✓ Done', left: 'Not possible in its state' },
  },
  'pt-BR': {
    title: '{act}: {count} selecionados',
    start: '{act} ({count})',
    stop: 'Parar',
    close: 'Fechar',
    progress: 'Andamento',
    count: '{done} de {all}',
    results: { waits: 'Na fila', runs: 'Um momento …', done: '✓ Feito', left: 'Não é possível nesta situação' },
  },
})
