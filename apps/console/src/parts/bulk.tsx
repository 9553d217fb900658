// One act for several records: a request for each, four at most at once, the result of each beside it. It can be stopped.
import { Alert, Button, Group, Modal, Progress, Stack, Table, Text } from '@mantine/core'
import { ValidationError } from '@titular/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useRef, useState } from 'react'
import { noteFailure } from '../client.ts'
import { useOwnTexts, usePerson } from '../context.tsx'
import { type Here, hereIn } from '../place.ts'
import { type Action, type Field, type Item, keyOf, type Resource } from '../resources/resource.ts'
import { useConfirm } from '../texts/confirm.ts'
import { filled, ownTexts } from '../texts/texts.ts'
import { bodyOf, firstValues, Form } from './form.tsx'
import { sentenceOf } from './problem.tsx'
import { REASON, useReason } from './reason.tsx'
import { isChange, parametersOf } from './request.ts'

type BulkProps = {
  action: Action
  resource: Resource
  here: Here
  records: readonly Item[]
  /** Of the path, beside the record's. */
  at: Item
  isOffered: (record: Item) => boolean
  onClose: () => void
}

type Result = 'waits' | 'runs' | 'done' | 'left' | { problem: string }

const AT_ONCE = 4

export function Bulk({ action, resource, here, records, at, isOffered, onClose }: BulkProps) {
  const { texts, user, may, language, isStaff } = usePerson()
  const own = useOwnTexts(TEXTS)
  const confirm = useConfirm()
  const queries = useQueryClient()
  // What is left empty stays as it is in each record.
  const form = (action.form ?? [])
    .filter(({ isStaffs }) => isStaff || !isStaffs)
    .map((field): Field => ({ ...field, clears: undefined }))
  const [values, setValues] = useState(() => firstValues(form, {}))
  // As the act was chosen: a list that is read again meanwhile changes nothing of it.
  const [chosen] = useState(() => records.map((record) => ({ record, key: keyOf(resource, record) })))
  const [results, setResults] = useState<ReadonlyMap<string, Result>>(
    () => new Map(chosen.map(({ record, key }) => [key, isOffered(record) ? 'waits' : 'left'])),
  )
  const [state, setState] = useState<'asks' | 'runs' | 'ended'>('asks')
  const [error, setError] = useState<unknown>(null)
  const reason = useReason(error)
  const isStopped = useRef(false)
  const possible = chosen.filter(({ key }) => results.get(key) !== 'left')
  const ended = possible.filter(({ key }) => isEnded(results.get(key))).length
  const note = (key: string, result: Result): void => setResults((all) => new Map(all).set(key, result))

  async function send({ record, key }: (typeof chosen)[number]): Promise<void> {
    note(key, 'runs')
    const place = action.operation.organization ? hereIn(ownerOf(record) ?? here.organization, language) : here
    const one = { ...at, [resource.keyName ?? 'id']: key }
    const of = { action, record, place, at: one, viewer: { id: user.id, may } }
    const get = resource.organization?.get
    const etag = get && isChange(action.operation) ? (await place.client.answer(get, one)).etag : null
    await place.client.call(action.operation, parametersOf(bodyOf(form, values), of), {
      ...reason.options,
      ...(etag !== null && { ifMatch: etag }),
    })
    note(key, 'done')
  }

  /** Gives what went wrong. */
  async function attempt(one: (typeof chosen)[number]): Promise<unknown> {
    try {
      await send(one)
      return null
    } catch (failure) {
      noteFailure(failure)
      note(one.key, { problem: sentenceOf(failure, texts) })
      return failure
    }
  }

  async function run(event: FormEvent): Promise<void> {
    event.preventDefault()
    setError(null)
    setState('runs')
    isStopped.current = false
    const rest = [...possible]
    const goOn = async (): Promise<void> => {
      for (let next = rest.shift(); next && !isStopped.current; next = rest.shift()) await attempt(next)
    }
    // The first goes alone, so that a proof, a reason or a field that is wrong is asked for once.
    const first = rest.shift()
    const failure = first ? await attempt(first) : null
    if (first && failure instanceof ValidationError) {
      note(first.key, 'waits')
      setError(failure)
      return setState('asks')
    }
    await Promise.all(Array.from({ length: AT_ONCE }, goOn))
    setState('ended')
    await queries.invalidateQueries()
  }

  const errors = error instanceof ValidationError ? error.fields : {}
  const shown = new Set([REASON, ...form.map(({ field }) => field)])
  const others = Object.entries(errors).filter(([field]) => !shown.has(field))
  return (
    <Modal
      opened
      size="lg"
      onClose={() => {
        isStopped.current = true
        onClose()
      }}
      title={filled(own.title, { act: texts.actions[action.name], count: String(chosen.length) })}
      closeButtonProps={{ 'aria-label': texts.act.cancel }}
    >
      <form onSubmit={(event) => void run(event)} noValidate>
        <Stack>
          {state === 'asks' && (
            <>
              <Text>{confirm[action.name]}</Text>
              <Form form={form} client={here.client} values={values} errors={errors} onChange={setValues} />
              {reason.field}
              {others.length > 0 && (
                <Alert color="red" role="alert">
                  {others.map(([field, problem]) => (
                    <Text key={field} size="sm">
                      {field}: {problem}
                    </Text>
                  ))}
                </Alert>
              )}
            </>
          )}
          {state !== 'asks' && (
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
              <Button variant="default" onClick={() => (isStopped.current = true)}>
                {own.stop}
              </Button>
            ) : (
              <Button variant="default" onClick={onClose}>
                {state === 'ended' ? own.close : texts.act.cancel}
              </Button>
            )}
            {state === 'asks' && (
              <Button type="submit" disabled={possible.length === 0} {...(action.isDangerous && { color: 'red' })}>
                {filled(own.start, { act: texts.actions[action.name], count: String(possible.length) })}
              </Button>
            )}
          </Group>
        </Stack>
      </form>
    </Modal>
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
