// Signing in and out. The credentials go into the profile, which is used from then on.
import { randomBytes } from 'node:crypto'
import {
  apiKey,
  bearer,
  createTitular,
  getMe,
  tokenSession,
  type Credentials,
  type SignInChallenge,
  type Titular,
  type TokenSession,
} from '@titular/sdk'
import { companyOf, organizationOf, urlOf, userAgent } from './client.ts'
import { signInByDevice } from './device.ts'
import { isPerson, say, type Console } from './console.ts'
import { isOn, lastOf, type FlagValues } from './flags.ts'
import { profilesOf, type Profile, type ProfileCredentials } from './profiles.ts'
import { ask, textOf } from './prompt.ts'
import { signOn } from './sign-on.ts'
import { UsageError } from './usage-error.ts'

type SignedIn = { credentials: ProfileCredentials; caller: Credentials }

export async function login(console: Console, given: FlagValues, version: string): Promise<void> {
  const profiles = profilesOf(console.env)
  const name = lastOf(given, 'profile') ?? console.env['TITULAR_PROFILE'] ?? profiles.current()
  const former = profiles.find(name)
  const typed = lastOf(given, 'url') ?? console.env['TITULAR_URL'] ?? former?.url
  const url = urlOf(typed ?? (isPerson(console) ? await ask(console, 'Address of the service: ') : undefined))
  if (url.startsWith('http:') && !isLoopback(url)) await say(console, `Warning: ${url} is not encrypted.`)
  const organization = organizationOf(lastOf(given, 'organization'), null)
  const company = companyOf(lastOf(given, 'company'))
  const language = lastOf(given, 'language') ?? former?.language
  const clientWith = (credentials: Credentials): Titular =>
    createTitular({ baseUrl: url, language, headers: userAgent(version), credentials })
  const { credentials, caller } = await signedIn(console, given, clientWith)
  const titular = clientWith(caller)
  const isKey = credentials.kind === 'key'
  // A key is of an organization or of the vendor, and has no account.
  const me = isKey ? null : await titular.call(getMe)
  const only = me?.organizations.length === 1 ? me.organizations[0]?.id : undefined
  const chosen = organization ?? only
  const profile: Profile = {
    url,
    credentials,
    ...(me && { account: me.email }),
    ...(chosen !== undefined && { organization: chosen }),
    ...(company !== undefined && { company }),
    ...(language !== undefined && { language }),
  }
  profiles.save(name, profile)
  profiles.use(name)
  await say(console, `Signed in at ${url}${me ? ` as ${me.email}` : ''}; profile "${name}".`)
  if (me && chosen === undefined && me.organizations.length > 0) {
    const list = me.organizations.map((one) => `  ${one.id}  ${one.name}`).join('\n')
    await say(
      console,
      `Choose where to work, by --organization or titular profile use ${name} --organization ID:\n${list}`,
    )
  }
}

const isLoopback = (url: string): boolean => /^(127(\.\d+){3}|\[::1\]|localhost)$/.test(new URL(url).hostname)

type ClientWith = (credentials: Credentials) => Titular

async function signedIn(console: Console, given: FlagValues, clientWith: ClientWith): Promise<SignedIn> {
  const key = lastOf(given, 'key-id')
  if (key !== undefined) {
    const secret = console.env['TITULAR_SECRET'] || (await secretOf(console, 'Secret of the key: '))
    return { credentials: { kind: 'key', key, secret }, caller: apiKey(key, secret) }
  }
  if (isOn(given, 'with-token')) {
    const token = await secretOf(console, 'Access token: ')
    return { credentials: { kind: 'token', token }, caller: bearer(token) }
  }
  const session = tokenSession()
  const titular = clientWith(session)
  if (isOn(given, 'device')) await signInByDevice(console, titular, session)
  else await signInHere(console, given, titular, session)
  const credentials = { kind: 'session' as const, id: randomBytes(8).toString('hex'), tokens: session.tokens }
  return { credentials, caller: session }
}

async function signInHere(console: Console, given: FlagValues, titular: Titular, session: TokenSession): Promise<void> {
  // Before anything is asked: a recovery code would stay in the history of the shell.
  const code = lastOf(given, 'code')
  if (code !== undefined && !isOfApp(code))
    throw new UsageError('--code takes six digits; a recovery code is asked for, or is in TITULAR_CODE', 'login')
  const email = lastOf(given, 'email') ?? (await answered(console, 'E-mail: ', 'Give --email'))
  const challenge = isOn(given, 'sso')
    ? await signOn(console, titular, session, email, !isOn(given, 'no-browser'))
    : await session.signIn({ email, password: await passwordOf(console, given) })
  if (challenge) await finish(console, code, session, challenge)
}

const withoutBlanks = (code: string): string => code.replaceAll(/\s/g, '')
const isOfApp = (code: string): boolean => /^\d{6}$/.test(withoutBlanks(code))

async function finish(
  console: Console,
  ofFlag: string | undefined,
  session: TokenSession,
  challenge: SignInChallenge,
): Promise<void> {
  const known = ofFlag ?? (console.env['TITULAR_CODE'] || undefined)
  const code = withoutBlanks(known ?? (await codeOf(console)))
  await session.finish(challenge, isOfApp(code) ? { code } : { recovery_code: code })
}

async function codeOf(console: Console): Promise<string> {
  if (isPerson(console)) return secretOf(console, 'Code of your authenticator app: ')
  throw new UsageError('Give --code or TITULAR_CODE: nobody is there to be asked', 'login')
}

async function answered(console: Console, question: string, otherwise: string): Promise<string> {
  if (!isPerson(console)) throw new UsageError(`${otherwise}: nobody is there to be asked`, 'login')
  return (await ask(console, question)).trim()
}

async function passwordOf(console: Console, given: FlagValues): Promise<string> {
  if (isOn(given, 'password-stdin') || isPerson(console)) return secretOf(console, 'Password: ')
  throw new UsageError('Give --password-stdin: nobody is there to be asked', 'login')
}

/** Without a terminal the first line of what comes in. */
async function secretOf(console: Console, question: string): Promise<string> {
  const text = isPerson(console) ? await ask(console, question, { isHidden: true }) : await textOf(console.in)
  const [line = ''] = text.split(/\r?\n/)
  if (line === '') throw new UsageError('Nothing was given', 'login')
  return line
}
