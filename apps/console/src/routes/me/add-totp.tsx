// An authenticator app, step by step: the password, the code to scan, the first code of the app, the recovery codes.
import { Alert, Button, Code, Group, Stack, Text, TextInput } from '@mantine/core'
import { type BeginTotpResult, beginTotp, confirmTotp, type Titular, ValidationError } from '@titular/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { renderSVG } from 'uqr'
import { Dialog } from '../../parts/dialog.tsx'
import { Password } from '../../parts/password.tsx'
import { useOwnTexts, usePerson } from '../../context.tsx'
import { sentenceOf } from '../../parts/problem.tsx'
import { ownTexts } from '../../texts/texts.ts'

const TEXTS = ownTexts({
  en: {
    add: 'Add an authenticator app',
    scan: 'Scan this with your authenticator app, or type the secret into it. Then enter the six digits that it shows.',
    picture: 'The secret as a QR code',
    keep: 'Each of these codes signs you in once, should you lose the app. Keep them somewhere safe.',
    kept: 'I have kept them',
  },
  'pt-BR': {
    add: 'Adicionar um aplicativo autenticador',
    scan: 'Leia isto com o aplicativo autenticador, ou digite o segredo nele. Depois informe os seis dígitos que ele mostra.',
    picture: 'O segredo como QR code',
    keep: 'Cada um destes códigos permite entrar uma vez, se você perder o aplicativo. Guarde em um lugar seguro.',
    kept: 'Já guardei',
  },
})

export function AddTotp({ client }: { client: Titular }) {
  const { texts } = usePerson()
  const own = useOwnTexts(TEXTS)
  const queries = useQueryClient()
  const [isOpen, setOpen] = useState(false)
  const [password, setPassword] = useState('')
  const [code, setCode] = useState('')
  const [begun, setBegun] = useState<BeginTotpResult | null>(null)
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  const [error, setError] = useState<unknown>(null)

  async function go(event: FormEvent): Promise<void> {
    event.preventDefault()
    setError(null)
    try {
      if (!begun) return setBegun(await client.call(beginTotp, { body: { current_password: password } }))
      const { recovery_codes } = await client.call(confirmTotp, { body: { code: code.trim() } })
      setCodes(recovery_codes)
      await queries.invalidateQueries({ queryKey: ['me'] })
    } catch (failure) {
      setError(failure)
    }
  }
  const close = (): void => {
    setOpen(false)
    setBegun(null)
    setCodes(null)
    setPassword('')
    setCode('')
  }
  const fields = error instanceof ValidationError ? error.fields : {}
  return (
    <>
      <Button onClick={() => setOpen(true)}>{own.add}</Button>
      <Dialog opened={isOpen} onClose={close} title={own.add}>
        {codes ? (
          <Stack>
            <Alert role="status">{own.keep}</Alert>
            <Code block>{codes.join('\n')}</Code>
            <Button onClick={close}>{own.kept}</Button>
          </Stack>
        ) : (
          <form onSubmit={(event) => void go(event)} noValidate>
            <Stack>
              {begun ? (
                <>
                  <Text>{own.scan}</Text>
                  <img
                    alt={own.picture}
                    width={220}
                    src={`data:image/svg+xml;utf8,${encodeURIComponent(renderSVG(begun.uri))}`}
                  />
                  <Code block>{begun.secret}</Code>
                  <TextInput
                    label={texts.signIn.code}
                    autoComplete="one-time-code"
                    error={fields['code']}
                    value={code}
                    onChange={(event) => setCode(event.currentTarget.value)}
                  />
                </>
              ) : (
                <Password
                  label={texts.fields.current_password}
                  autoComplete="current-password"
                  error={fields['current_password']}
                  value={password}
                  onChange={(event) => setPassword(event.currentTarget.value)}
                />
              )}
              {error !== null && (
                <Alert color="red" role="alert">
                  {sentenceOf(error, texts)}
                </Alert>
              )}
              <Group justify="flex-end">
                <Button type="submit">{texts.signIn.continue}</Button>
              </Group>
            </Stack>
          </form>
        )}
      </Dialog>
    </>
  )
}
