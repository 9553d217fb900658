// The answer to a conversation: a reply that is kept ready may begin it, and staff may keep it among themselves.
import { Button, Group, Menu, Stack, Switch, Textarea } from '@mantine/core'
import type { AnyOperation } from '@titular/sdk'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useOwnTexts, usePerson } from '../context.tsx'
import type { Here } from '../place.ts'
import { isItem, itemsOf, textOf } from '../resources/resource.ts'
import { ownTexts } from '../texts/texts.ts'
import { Problem } from './problem.tsx'

type AnswerProps = { add: AnyOperation; canned: AnyOperation | undefined; here: Here; id: number }

export function Answer({ add, canned, here, id }: AnswerProps) {
  const { texts, may } = usePerson()
  const own = useOwnTexts(answerTexts)
  const queries = useQueryClient()
  const [body, setBody] = useState('')
  const [isInternal, setInternal] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const [isRunning, setRunning] = useState(false)
  const isDesk = canned !== undefined && may('tickets:write')
  async function send(): Promise<void> {
    setRunning(true)
    setError(null)
    try {
      await here.client.call(add, { id, body: { body, ...(isInternal && { internal: true }) } })
      setBody('')
      await queries.invalidateQueries({ queryKey: [here.key] })
    } catch (failure) {
      setError(failure)
    }
    setRunning(false)
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        void send()
      }}
    >
      <Stack align="flex-start">
        <Textarea
          label={isInternal ? own.note : texts.record.comment}
          w="100%"
          autosize
          minRows={3}
          maxRows={20}
          value={body}
          {...(isInternal && { styles: { input: { background: 'var(--mantine-color-yellow-light)' } } })}
          onChange={(event) => setBody(event.currentTarget.value)}
        />
        {error !== null && <Problem error={error} />}
        <Group>
          <Button type="submit" loading={isRunning} disabled={body.trim() === ''}>
            {isInternal ? own.keep : texts.record.send}
          </Button>
          {isDesk && (
            <>
              <Canned
                operation={canned}
                here={here}
                id={id}
                onChoose={(reply) => setBody(body.trim() === '' ? reply : `${body.trimEnd()}\n\n${reply}`)}
              />
              <Switch
                label={own.internal}
                checked={isInternal}
                onChange={(event) => setInternal(event.currentTarget.checked)}
              />
            </>
          )}
        </Group>
      </Stack>
    </form>
  )
}

type CannedProps = { operation: AnyOperation; here: Here; id: number; onChoose: (body: string) => void }

function Canned({ operation, here, id, onChoose }: CannedProps) {
  const { texts } = usePerson()
  const own = useOwnTexts(answerTexts)
  const [isOpen, setOpen] = useState(false)
  const { data, error } = useQuery({
    queryKey: [here.key, operation.id, id],
    enabled: isOpen,
    queryFn: async () => {
      const answer: unknown = await here.client.call(operation, { id })
      return itemsOf(isItem(answer) ? answer['canned_replies'] : null)
    },
  })
  return (
    <Menu opened={isOpen} onChange={setOpen} position="top-start">
      <Menu.Target>
        <Button variant="default">{own.canned} ▾</Button>
      </Menu.Target>
      <Menu.Dropdown style={{ maxHeight: 320, overflowY: 'auto' }}>
        {error && <Problem error={error} />}
        {!data && !error && <Menu.Label>{texts.act.working}</Menu.Label>}
        {data?.length === 0 && <Menu.Label>{own.none}</Menu.Label>}
        {data?.map((reply) => (
          <Menu.Item key={textOf(reply['id'])} onClick={() => onChoose(textOf(reply['body']))}>
            {textOf(reply['name'])}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

const answerTexts = ownTexts({
  en: {
    internal: 'For staff alone',
    note: 'A note that the customer does not see',
    keep: 'Keep the note',
    canned: 'Canned reply',
    none: 'No reply is kept ready. They are made under Canned replies.',
  },
  'pt-BR': {
    internal: 'Só para a equipe',
    note: 'Uma nota que o cliente não vê',
    keep: 'Guardar a nota',
    canned: 'Resposta pronta',
    none: 'Não há respostas prontas. Crie em Respostas prontas.',
  },
})
