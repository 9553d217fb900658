// An act in a dialog: what it does, its fields, what would follow, and each field's error beside it. Nothing typed is
// lost when it fails.
import { Alert, Button, Code, CopyButton, Group, Skeleton, Stack, Text } from '@mantine/core'
import { type AnyOperation, ConflictError, PreconditionError, type Titular } from '@titular/sdk'
import { type Query, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, Suspense, useState } from 'react'
import { Dialog } from './dialog.tsx'
import { noteFailure } from '../client.ts'
import { type Place, usePerson } from '../context.tsx'
import { type Action, isItem, type Item, textOf } from '../resources/resource.ts'
import { useConfirm } from '../texts/confirm.ts'
import { AddressForm } from './address-form.tsx'
import { Changes, isOther } from './changes.tsx'
import { type Begun, draftOf, dropDraft, keepDraft } from './drafts.ts'
import { useFieldProblems } from './field-problems.ts'
import { bodyOf, firstValues, Form, formFor, missingFor } from './form.tsx'
import { MissingFields } from './place-problems.ts'
import { useReason } from './reason.tsx'
import { isChange, parametersOf } from './request.ts'
import { Preview } from './preview.tsx'
import { Entry, isEntryNeeded, Problem, sentenceOf } from './problem.tsx'

type ActProps = {
  action: Action
  client: Titular
  /** What the act is of; empty where it makes something. */
  record?: Item
  /** The parameters of the path. */
  at: Item
  place: Place
  etag: string | null
  onDone: (made: unknown) => void
  onClose: () => void
}

export function Act(props: ActProps) {
  const { reads } = props.action
  return reads ? <ActOnRead {...props} reads={reads} /> : <ActForm {...props} />
}

/** A row of a list has no ETag of its own. */
function ActOnRead({ reads, ...props }: ActProps & { reads: AnyOperation }) {
  const { action, client, record = {}, onClose } = props
  const { texts } = usePerson()
  const at = Object.fromEntries(
    Object.entries({ ...props.at, ...action.at?.(record, {}) }).filter(([name]) => reads.path.includes(`{${name}}`)),
  )
  const { data, error, refetch } = useQuery({
    queryKey: ['begun', reads.id, at],
    gcTime: 0,
    queryFn: () => client.answer(reads, at),
  })
  const read: unknown = data?.data
  if (data) return <ActForm {...props} record={{ ...record, ...(isItem(read) && read) }} etag={data.etag} />
  return (
    <Dialog onClose={onClose} title={texts.actions[action.name]}>
      {error ? <Problem error={error} retry={() => void refetch()} /> : <Skeleton height={160} aria-hidden />}
    </Dialog>
  )
}

function ActForm({ action, client, record = {}, at, place, etag, onDone, onClose }: ActProps) {
  const { texts, user, may, isStaff, language } = usePerson()
  const confirm = useConfirm()
  const { name, operation, form: declared = [], isDangerous, isPreviewed, shows } = action
  const viewer = { id: user.id, may }
  const form = formFor(declared, { record, viewer, isStaff })
  const Fields = form.some(({ field }) => field === 'zipcode') ? AddressForm : Form
  const draft = `${operation.id} ${JSON.stringify(at)}`
  const [kept] = useState(() => draftOf(draft))
  const [values, setValues] = useState(() => ({ ...firstValues(form, record, language), ...kept?.values }))
  /** What the form began with: its ETag is sent, and the record of now is shown beside it where somebody else has changed it. */
  const [begun] = useState<Begun>(() => kept?.begun ?? { record, etag })
  const queries = useQueryClient()
  const [error, setError] = useState<unknown>(null)
  const [isRunning, setRunning] = useState(false)
  const reason = useReason(error)
  const [preview, setPreview] = useState<Item | null>(null)
  const [made, setMade] = useState<Item | null>(null)
  const { beside, others, said } = useFieldProblems(error, form)

  async function run(event?: FormEvent): Promise<void> {
    event?.preventDefault()
    const missing = missingFor(operation, form, values)
    if (missing.length > 0) return setError(new MissingFields(missing))
    setRunning(true)
    setError(null)
    // Whoever has seen what is another now, and sends theirs all the same, replaces that.
    const ifMatch = error instanceof PreconditionError ? etag : begun.etag
    try {
      const isTrial = isPreviewed === true && preview === null
      const of = { action, record, at, place, viewer }
      const parameters = { ...parametersOf(bodyOf(form, values, language), of), ...(isTrial && { dry_run: true }) }
      const answer: unknown = await client.call(operation, parameters, {
        ...(ifMatch !== null && isChange(operation) && { ifMatch }),
        ...reason.options,
      })
      if (isTrial && isItem(answer)) setPreview(answer)
      else if (shows && isItem(answer)) setMade(answer)
      else {
        dropDraft(draft)
        if (action.follows && isItem(answer)) globalThis.location.assign(textOf(answer[action.follows]))
        return onDone(answer)
      }
    } catch (failure) {
      setError(failure)
      noteFailure(failure)
      // Lists are read again once the dialog is closed: a row that is gone would take it along.
      if (isStale(failure)) await queries.invalidateQueries({ predicate: isOfRecord })
    }
    setRunning(false)
  }

  const close = (): void => {
    dropDraft(draft)
    if (isStale(error)) void queries.invalidateQueries()
    onClose()
  }
  return (
    <Dialog onClose={made ? () => onDone(made) : close} title={texts.actions[name]}>
      {made ? (
        <Shown made={made} fields={shows ?? []} onClose={() => onDone(made)} />
      ) : (
        <form onSubmit={(event) => void run(event)} noValidate>
          <Stack>
            <Text>{confirm[name]}</Text>
            <Fields
              form={form}
              client={client}
              values={values}
              errors={beside}
              onChange={(next) => {
                setValues(next)
                setPreview(null)
                keepDraft(draft, form, { values: next, begun })
              }}
            />
            {reason.field}
            {preview && <Preview preview={preview} currency={record['currency']} />}
            {isEntryNeeded(error) && (
              <Suspense>
                <Entry onDone={() => void run()} />
              </Suspense>
            )}
            {error !== null && !isEntryNeeded(error) && (
              <Alert color="red" role="alert">
                {said ?? (error instanceof PreconditionError ? texts.problems.changed : sentenceOf(error, texts))}
                {isStale(error) && isOther(ownOf(begun.record), ownOf(record)) && (
                  <Changes before={ownOf(begun.record)} after={ownOf(record)} />
                )}
                {others.map((problem) => (
                  <Text key={problem} size="sm">
                    {problem}
                  </Text>
                ))}
              </Alert>
            )}
            <Group justify="flex-end">
              <Button variant="default" onClick={close}>
                {texts.act.cancel}
              </Button>
              <Button type="submit" loading={isRunning} {...(isDangerous && { color: 'red' })}>
                {isPreviewed && preview === null ? texts.act.preview : texts.actions[name]}
              </Button>
            </Group>
          </Stack>
        </form>
      )}
    </Dialog>
  )
}

/** The keys of lists have what was asked for in the third place. */
const isOfRecord = ({ queryKey: [kind, , of] }: Query): boolean => kind === 'begun' || typeof of !== 'object'

/** Without what came beside it. */
const ownOf = ({ expanded: _expanded, ...record }: Item): Item => record

/** Perhaps the record is no longer what the form began with. */
const isStale = (error: unknown): boolean => error instanceof PreconditionError || error instanceof ConflictError

type ShownProps = {
  made: Item
  fields: readonly (keyof ReturnType<typeof usePerson>['texts']['fields'])[]
  onClose: () => void
}

/** What is shown once and never again. */
function Shown({ made, fields, onClose }: ShownProps) {
  const { texts } = usePerson()
  return (
    <Stack>
      <Alert role="status">{texts.act.once}</Alert>
      {fields.map((field) => {
        const value = Array.isArray(made[field]) ? made[field].map(textOf).join('\n') : textOf(made[field])
        if (value === '') return null
        return (
          <Stack key={field} gap={4}>
            <Text size="sm" c="dimmed">
              {texts.fields[field]}
            </Text>
            <Code block>{value}</Code>
            <CopyButton value={value}>
              {({ copied, copy }) => (
                <Button variant="default" size="xs" onClick={copy}>
                  {copied ? texts.act.copied : texts.act.copy}
                </Button>
              )}
            </CopyButton>
          </Stack>
        )
      })}
      <Button onClick={onClose}>{texts.act.kept}</Button>
    </Stack>
  )
}
