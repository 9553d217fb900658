// A fresh proof of who acts, asked for in place; the act then goes on.
import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import type { StepUpRequest } from '@titular/sdk'
import { useEffect, useState } from 'react'
import { Dialog } from './dialog.tsx'
import { Password } from './password.tsx'
import { onProof } from '../client.ts'
import { useOwnTexts, usePerson } from '../context.tsx'
import { ownTexts } from '../texts/texts.ts'

type ProofRequest = { answer: (proof: StepUpRequest | null) => void }

export function StepUp() {
  const { texts } = usePerson()
  const own = useOwnTexts(TEXTS)
  const [asked, setAsked] = useState<ProofRequest | null>(null)
  const [code, setCode] = useState('')
  const [password, setPassword] = useState('')
  useEffect(() => {
    onProof(() => new Promise((answer) => setAsked({ answer })))
    return () => onProof(async () => null)
  }, [])
  if (!asked) return null
  const end = (proof: StepUpRequest | null): void => {
    asked.answer(proof)
    setAsked(null)
    setCode('')
    setPassword('')
  }
  return (
    <Dialog onClose={() => end(null)} title={own.title}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          end(code.trim() === '' ? { current_password: password } : { code: code.trim() })
        }}
      >
        <Stack>
          <Text>{own.why}</Text>
          <TextInput
            label={texts.signIn.code}
            autoComplete="one-time-code"
            value={code}
            onChange={(event) => setCode(event.currentTarget.value)}
          />
          <Password
            label={own.password}
            autoComplete="current-password"
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={() => end(null)}>
              {texts.act.cancel}
            </Button>
            <Button type="submit" disabled={code.trim() === '' && password === ''}>
              {texts.signIn.continue}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}

const TEXTS = ownTexts({
  en: {
    title: 'Is it you?',
    why: 'This act needs a fresh proof: the code of your authenticator app, or without one your password.',
    password: 'Password, if you have no authenticator app',
  },
  'pt-BR': {
    title: 'É você mesmo?',
    why: 'Este ato exige uma nova confirmação: o código do seu aplicativo autenticador ou, sem ele, a sua senha.',
    password: 'Senha, se você não tem aplicativo autenticador',
  },
})
