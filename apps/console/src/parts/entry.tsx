// Staff say why they enter an organization, in place of what was refused; it then goes on.
import { Alert, Button, Group, NumberInput, Stack, Text, TextInput } from '@mantine/core'
import { adminCreateOrganizationEntry, ValidationError } from '@titular/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useOwnTexts, usePerson } from '../context.tsx'
import { hereIn } from '../place.ts'
import { ownTexts } from '../texts/texts.ts'
import { sentenceOf } from './problem.tsx'

const MINUTES = 60

export function Entry({ onDone }: { onDone?: () => void }) {
  const { texts, language } = usePerson()
  const own = useOwnTexts(entryTexts)
  const queries = useQueryClient()
  const { organization = '' } = useParams({ strict: false })
  const [reason, setReason] = useState('')
  const [minutes, setMinutes] = useState<string | number>(MINUTES)
  const [error, setError] = useState<unknown>(null)
  const [isRunning, setRunning] = useState(false)
  const fields = error instanceof ValidationError ? error.fields : {}
  async function enter(): Promise<void> {
    setRunning(true)
    setError(null)
    try {
      const { client } = hereIn(null, language)
      await client.call(adminCreateOrganizationEntry, {
        id: Number(organization),
        body: { reason: reason.trim(), minutes: Number(minutes) || MINUTES },
      })
      await queries.invalidateQueries()
      onDone?.()
    } catch (failure) {
      setError(failure)
    }
    setRunning(false)
  }
  // No form of its own: it may stand within one.
  return (
    <Alert title={texts.problems.entry} role="alert">
      <Stack
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || reason.trim() === '') return
          event.preventDefault()
          void enter()
        }}
      >
        <Text size="sm">{own.why}</Text>
        <Group align="flex-start">
          <TextInput
            label={texts.problems.reason}
            required
            flex="1 1 240px"
            error={fields['reason']}
            value={reason}
            onChange={(event) => setReason(event.currentTarget.value)}
          />
          <NumberInput
            label={own.minutes}
            w={120}
            min={1}
            error={fields['minutes']}
            value={minutes}
            onChange={setMinutes}
          />
        </Group>
        {error !== null && !(error instanceof ValidationError) && (
          <Text size="sm" c="red">
            {sentenceOf(error, texts)}
          </Text>
        )}
        <Button
          loading={isRunning}
          disabled={reason.trim() === ''}
          onClick={() => void enter()}
          style={{ alignSelf: 'start' }}
        >
          {texts.problems.enter}
        </Button>
      </Stack>
    </Alert>
  )
}

const entryTexts = ownTexts({
  en: {
    why: 'The reason stands in the audit log that the customer reads, with everything that you do meanwhile.',
    minutes: 'Minutes',
  },
  'pt-BR': {
    why: 'O motivo fica na trilha de auditoria que o cliente lê, com tudo o que você fizer nesse tempo.',
    minutes: 'Minutos',
  },
})
