// A passkey of this device: the password, then what the device asks for.
import { Alert, Button, Group, Stack, TextInput } from '@mantine/core'
import { beginPasskey, createPasskey, type Titular } from '@titular/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { Dialog } from '../../parts/dialog.tsx'
import { Password } from '../../parts/password.tsx'
import { useOwnTexts, usePerson } from '../../context.tsx'
import { sentenceOf } from '../../parts/problem.tsx'
import { newPasskey } from '../../passkeys.ts'
import { ownTexts } from '../../texts/texts.ts'

const TEXTS = ownTexts({
  en: {
    add: 'Add a passkey',
    name: 'What you call the device',
    cancelled: 'The device has made no passkey. Try again.',
  },
  'pt-BR': {
    add: 'Adicionar uma chave de acesso',
    name: 'Como você chama o dispositivo',
    cancelled: 'O dispositivo não criou a chave de acesso. Tente de novo.',
  },
})

export function AddPasskey({ client }: { client: Titular }) {
  const { texts } = usePerson()
  const own = useOwnTexts(TEXTS)
  const queries = useQueryClient()
  const [isOpen, setOpen] = useState(false)
  const [name, setName] = useState('')
  const [password, setPassword] = useState('')
  const [problem, setProblem] = useState<string | null>(null)

  async function go(event: FormEvent): Promise<void> {
    event.preventDefault()
    setProblem(null)
    try {
      const options = await client.call(beginPasskey, { body: { current_password: password } })
      const credential = await newPasskey(options)
      if (!credential) return setProblem(own.cancelled)
      await client.call(createPasskey, { body: { name, credential } })
      await queries.invalidateQueries({ queryKey: ['me'] })
      setOpen(false)
      setPassword('')
    } catch (failure) {
      setProblem(failure instanceof DOMException ? own.cancelled : sentenceOf(failure, texts))
    }
  }
  if (!('credentials' in navigator)) return null
  return (
    <>
      <Button variant="default" onClick={() => setOpen(true)}>
        {own.add}
      </Button>
      <Dialog opened={isOpen} onClose={() => setOpen(false)} title={own.add}>
        <form onSubmit={(event) => void go(event)} noValidate>
          <Stack>
            <TextInput
              label={own.name}
              required
              value={name}
              onChange={(event) => setName(event.currentTarget.value)}
            />
            <Password
              label={texts.fields.current_password}
              autoComplete="current-password"
              required
              value={password}
              onChange={(event) => setPassword(event.currentTarget.value)}
            />
            {problem !== null && (
              <Alert color="red" role="alert">
                {problem}
              </Alert>
            )}
            <Group justify="flex-end">
              <Button type="submit">{texts.signIn.continue}</Button>
            </Group>
          </Stack>
        </form>
      </Dialog>
    </>
  )
}
