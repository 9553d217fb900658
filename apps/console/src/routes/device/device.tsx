// A machine without a browser asks to be signed in: the person types the code that it shows, sees what asks and from
// where, and decides. Nothing is decided by opening the address.
import { Alert, Button, Code, Group, Skeleton, Stack, Text, TextInput, Title } from '@mantine/core'
import { approveDevice, checkDevice, NotFoundError, rejectDevice } from '@titular/sdk'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { noteFailure } from '../../client.ts'
import { useOwnTexts, usePerson } from '../../context.tsx'
import { Problem } from '../../parts/problem.tsx'
import { Facts } from '../../parts/record.tsx'
import type { ScreenProps } from '../../screens.ts'
import { filled } from '../../texts/texts.ts'
import { deviceTexts } from './texts.ts'

type Decision = 'approved' | 'rejected'

export function Screen({ here, search, onSearch }: ScreenProps) {
  const { texts } = usePerson()
  const own = useOwnTexts(deviceTexts)
  const given = typeof search['user_code'] === 'string' ? search['user_code'] : ''
  const [typed, setTyped] = useState(given)
  const [decision, setDecision] = useState<Decision | null>(null)
  function look(event: FormEvent): void {
    event.preventDefault()
    setDecision(null)
    onSearch({ user_code: typed.trim() })
  }
  function again(): void {
    setDecision(null)
    setTyped('')
    onSearch({})
  }
  return (
    <Stack maw={620}>
      <Title order={1} size="h2">
        {texts.screens.device}
      </Title>
      {decision ? (
        <>
          <Alert role="status" color={decision === 'approved' ? 'green' : 'gray'}>
            {own[decision]}
          </Alert>
          <Group>
            <Button variant="default" onClick={again}>
              {own.another}
            </Button>
            {decision === 'approved' && <TakeBack code={given} client={here.client} onDone={setDecision} />}
          </Group>
        </>
      ) : (
        <>
          <Text>{own.what}</Text>
          <form onSubmit={look} noValidate>
            <Group align="flex-end">
              <TextInput
                label={own.code}
                autoComplete="off"
                autoCapitalize="characters"
                spellCheck={false}
                maxLength={32}
                value={typed}
                onChange={(event) => setTyped(event.currentTarget.value)}
              />
              <Button type="submit" variant="default" disabled={typed.trim() === ''}>
                {texts.signIn.continue}
              </Button>
            </Group>
          </form>
          {given !== '' && <Waiting key={given} code={given} client={here.client} onDecided={setDecision} />}
        </>
      )}
    </Stack>
  )
}

type TakeBackProps = {
  code: string
  client: ScreenProps['here']['client']
  onDone: (decision: Decision) => void
}

/** Until the device has its session, which is then ended under “Sessions”. */
function TakeBack({ code, client, onDone }: TakeBackProps) {
  const own = useOwnTexts(deviceTexts)
  const [failure, setFailure] = useState<unknown>(null)
  async function takeBack(): Promise<void> {
    try {
      await client.call(rejectDevice, { body: { user_code: code } })
      onDone('rejected')
    } catch (reason) {
      setFailure(reason)
      noteFailure(reason)
    }
  }
  if (failure instanceof NotFoundError) return <Text role="alert">{own.used}</Text>
  return (
    <>
      <Button variant="default" c="red" onClick={() => void takeBack()}>
        {own.takeBack}
      </Button>
      {failure !== null && <Problem error={failure} />}
    </>
  )
}

type WaitingProps = { code: string; client: ScreenProps['here']['client']; onDecided: (decision: Decision) => void }

function Waiting({ code, client, onDecided }: WaitingProps) {
  const { user } = usePerson()
  const own = useOwnTexts(deviceTexts)
  const queries = useQueryClient()
  const [failure, setFailure] = useState<unknown>(null)
  const [isRunning, setRunning] = useState(false)
  const body = { user_code: code }
  const { data, error, refetch } = useQuery({
    queryKey: ['me', 'device', code],
    gcTime: 0,
    refetchOnWindowFocus: false,
    queryFn: () => client.call(checkDevice, { body }),
  })
  async function decide(decision: Decision): Promise<void> {
    setRunning(true)
    setFailure(null)
    try {
      await client.call(decision === 'approved' ? approveDevice : rejectDevice, { body })
      onDecided(decision)
      await queries.invalidateQueries({ queryKey: ['me', 'sessions'] })
    } catch (reason) {
      setFailure(reason)
      noteFailure(reason)
    }
    setRunning(false)
  }
  if (error instanceof NotFoundError)
    return (
      <Alert color="red" role="alert">
        {error.message}
      </Alert>
    )
  if (error) return <Problem error={error} retry={() => void refetch()} />
  if (!data) return <Skeleton height={200} aria-hidden />
  return (
    <Stack>
      <Facts
        columns={[{ field: 'device' }, { field: 'ip', as: 'code' }, { field: 'created_at', as: 'time' }]}
        record={data}
      />
      <Alert color="orange" title={own.warning}>
        <Text>{filled(own.consequence, { email: user.email })}</Text>
        <Text>
          {own.compare} <Code>{code}</Code>
        </Text>
      </Alert>
      {failure !== null && <Problem error={failure} />}
      <Group>
        <Button variant="default" disabled={isRunning} onClick={() => void decide('rejected')}>
          {own.reject}
        </Button>
        <Button loading={isRunning} onClick={() => void decide('approved')}>
          {own.approve}
        </Button>
      </Group>
    </Stack>
  )
}
