// One page for who is not signed in: password, second factor, passkey, single sign-on, and a link for who has forgotten.
import { Anchor, Alert, Button, Card, Divider, NativeSelect, Stack, Text, TextInput, Title } from '@mantine/core'
import {
  beginPasskeyLogin,
  beginSignOn,
  createSessionWithPasskey,
  requestPasswordReset,
  type GetBrandResult as Brand,
  type Session,
  type SignInChallenge,
} from '@titular/sdk'
import { type FormEvent, useState } from 'react'
import { Password } from '../../parts/password.tsx'
import { session, titular } from '../../client.ts'
import { BrandMark } from '../../parts/brand-mark.tsx'
import { sentenceOf } from '../../parts/problem.tsx'
import { knownPasskey } from '../../passkeys.ts'
import type { Texts } from '../../texts/en.ts'
import type { Language } from '../../texts/texts.ts'
import { DemoPeople } from './demo-people.tsx'

/** The address with the code of a device is come back to; other ones a portal of the vendor's own may not have. */
const returnPath = (): string => {
  const { pathname, search } = globalThis.location
  return pathname.endsWith('/device') ? `/device${search}` : '/'
}

export type SignInProps = {
  brand: Brand | null
  texts: Texts
  language: Language
  onLanguage: (language: Language) => void
  onDone: (session: Session) => void
}

type Part = {
  /** What it is in the page: a dialog is no second main part. */
  as?: 'main' | 'div'
}

export function SignIn({ brand, texts, language, onLanguage, onDone, as: Root = 'main' }: SignInProps & Part) {
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const [code, setCode] = useState('')
  const [challenge, setChallenge] = useState<SignInChallenge | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const [note, setNote] = useState<string | null>(null)
  const [isRunning, setRunning] = useState(false)

  async function attempt(act: () => Promise<void>): Promise<void> {
    setRunning(true)
    setProblem(null)
    setNote(null)
    await act().catch((error: unknown) => setProblem(sentenceOf(error, texts)))
    setRunning(false)
  }
  const signIn = (given: { email: string; password: string }) =>
    attempt(async () => {
      const answer = await session.signIn(given)
      if ('second_factor_required' in answer) setChallenge(answer)
      else onDone(answer)
    })
  const prove = () =>
    attempt(async () => {
      const given = code.trim()
      if (challenge)
        onDone(await session.finish(challenge, /^\d{6}$/.test(given) ? { code: given } : { recovery_code: given }))
    })
  const withPasskey = () =>
    attempt(async () => {
      const credential = await knownPasskey(await titular.call(beginPasskeyLogin)).catch(() => null)
      if (!credential) return setProblem(texts.signIn.noPasskey)
      const begun = await titular.call(createSessionWithPasskey, { body: { credential } })
      session.use(begun)
      onDone(begun)
    })
  /** Each needs the address that the person has typed. */
  const withAddress = (act: () => Promise<void>) =>
    attempt(async () => {
      if (email.trim() === '') return setProblem(texts.signIn.needsEmail)
      await act()
    })
  const withSignOn = () =>
    withAddress(async () => {
      const { authorization_url } = await titular.call(beginSignOn, { body: { email, return_path: returnPath() } })
      globalThis.location.assign(authorization_url)
    })
  const forget = () =>
    withAddress(async () => {
      await titular.call(requestPasswordReset, { body: { email } })
      setNote(texts.signIn.sent)
    })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    void (challenge ? prove() : signIn({ email, password }))
  }

  return (
    <Root className="entrance">
      <Stack className="entrance-about" gap="sm">
        <BrandMark brand={brand} />
        <Title order={1}>{texts.signIn.what}</Title>
        <Text>{texts.signIn.about}</Text>
      </Stack>
      <Card withBorder className="entrance-form">
        <form onSubmit={submit} noValidate>
          <Stack>
            <Title order={2} size="h3">
              {texts.signIn.title}
            </Title>
            {challenge ? (
              <TextInput
                label={texts.signIn.code}
                description={texts.signIn.codeHelp}
                autoComplete="one-time-code"
                autoFocus
                value={code}
                onChange={(event) => setCode(event.currentTarget.value)}
              />
            ) : (
              <>
                <TextInput
                  label={texts.signIn.email}
                  type="email"
                  autoComplete="username webauthn"
                  value={email}
                  onChange={(event) => setEmail(event.currentTarget.value)}
                />
                <Password
                  label={texts.signIn.password}
                  autoComplete="current-password"
                  value={password}
                  onChange={(event) => setPassword(event.currentTarget.value)}
                />
              </>
            )}
            {problem !== null && (
              <Alert color="red" role="alert">
                {problem}
              </Alert>
            )}
            {note !== null && (
              <Text role="status" size="sm">
                {note}
              </Text>
            )}
            <Button type="submit" loading={isRunning} fullWidth>
              {challenge ? texts.signIn.continue : texts.signIn.submit}
            </Button>
            {challenge ? (
              <Anchor component="button" type="button" onClick={() => setChallenge(null)}>
                {texts.signIn.back}
              </Anchor>
            ) : (
              <>
                <Anchor component="button" type="button" onClick={() => void forget()}>
                  {texts.signIn.forgotten}
                </Anchor>
                <Divider label={texts.signIn.or} />
                {'credentials' in navigator && (
                  <Button variant="default" onClick={() => void withPasskey()}>
                    {texts.signIn.passkey}
                  </Button>
                )}
                <Button variant="default" onClick={() => void withSignOn()}>
                  {texts.signIn.signOn}
                </Button>
                <DemoPeople texts={texts} onChoose={(chosen) => void signIn(chosen)} />
              </>
            )}
            <NativeSelect
              aria-label={texts.app.language}
              value={language}
              data={[
                { value: 'pt-BR', label: 'Português (Brasil)' },
                { value: 'en', label: 'English' },
              ]}
              onChange={(event) => onLanguage(event.currentTarget.value === 'en' ? 'en' : 'pt-BR')}
            />
            {brand?.support_url && (
              <Anchor href={brand.support_url} size="sm">
                {texts.signIn.help}
              </Anchor>
            )}
          </Stack>
        </form>
      </Card>
    </Root>
  )
}
