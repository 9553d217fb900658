// The client of a call: which service, who calls and where in, by flags, then the environment, then the profile.
import { apiKey, bearer, createTitular, type Credentials, type StepUpRequired, type Titular } from '@titular/sdk'
import { isPerson, type Console } from './console.ts'
import { lastOf, type FlagValues } from './flags.ts'
import { profileSession } from './profile-session.ts'
import { profilesOf, type Profile } from './profiles.ts'
import { ask } from './prompt.ts'
import { UsageError } from './usage-error.ts'

export type Scope = { profile: string; url: string; organization: number | undefined }
export type Client = { titular: Titular; scope: Scope }

export function userAgent(version: string): Record<string, string> {
  return { 'user-agent': `titular-cli/${version}` }
}

export function clientOf(console: Console, flags: FlagValues, version: string): Client {
  const { env } = console
  const profiles = profilesOf(env)
  const named = lastOf(flags, 'profile') ?? env['TITULAR_PROFILE']
  const name = named ?? profiles.current()
  const profile = named === undefined ? profiles.find(name) : profiles.get(name)
  const url = urlOf(lastOf(flags, 'url') ?? env['TITULAR_URL'] ?? profile?.url)
  const organization = organizationOf(lastOf(flags, 'organization') ?? env['TITULAR_ORGANIZATION'], profile)
  const ofEnvironment = lastOf(flags, 'profile') === undefined ? environmentCredentials(env) : null
  // The credentials of one service are never sent to another one.
  const ofProfile = profile && isSameService(profile.url, url) ? profile : null
  const credentials = ofEnvironment ?? (ofProfile && credentialsOf(ofProfile, profilesOf(env), name))
  const titular = createTitular({
    baseUrl: url,
    organization,
    company: companyOf(lastOf(flags, 'company') ?? env['TITULAR_COMPANY'] ?? profile?.company),
    language: lastOf(flags, 'language') ?? env['TITULAR_LANGUAGE'] ?? profile?.language ?? languageOf(env),
    headers: userAgent(version),
    onStepUp: (error) => stepUp(console, error),
    ...(credentials && { credentials }),
  })
  return { titular, scope: { profile: name, url, organization } }
}

export function urlOf(text: string | undefined): string {
  if (text === undefined || text === '')
    throw new UsageError(
      'Where is the service? Give --url https://…, TITULAR_URL, or sign in: titular login --url https://…',
    )
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol))
    throw new UsageError(`"${text}" is no address of a service: https://…`)
  return text.replace(/\/+$/, '').replace(/\/api\/v1$/, '')
}

const isSameService = (one: string, other: string): boolean => new URL(one).origin === new URL(other).origin

export function organizationOf(text: string | undefined, profile: Profile | null): number | undefined {
  if (text === undefined || text === '') return profile?.organization
  if (!/^[1-9]\d{0,14}$/.test(text)) throw new UsageError(`An organization is a number, not "${text}"`)
  return Number(text)
}

export function companyOf(text: string | undefined): 'entity_br' | 'entity_global' | undefined {
  if (text === undefined || text === '' || text === 'entity_br' || text === 'entity_global') return text || undefined
  throw new UsageError(`A company is entity_br or entity_global, not "${text}"`)
}

/** Of the person's system, where the service has it too. */
function languageOf(env: Console['env']): string | undefined {
  const system = env['LC_ALL'] || env['LC_MESSAGES'] || env['LANG'] || ''
  return system.startsWith('pt') ? 'pt-BR' : undefined
}

function environmentCredentials(env: Console['env']): Credentials | null {
  const { TITULAR_TOKEN: token, TITULAR_KEY: key, TITULAR_SECRET: secret } = env
  if (token) return bearer(token)
  if (key && secret) return apiKey(key, secret)
  if (key || secret) throw new UsageError('TITULAR_KEY and TITULAR_SECRET belong together')
  return null
}

function credentialsOf(profile: Profile, profiles: ReturnType<typeof profilesOf>, name: string): Credentials | null {
  const { credentials } = profile
  if (credentials === null) return null
  if (credentials.kind === 'key') return apiKey(credentials.key, credentials.secret)
  if (credentials.kind === 'token') return bearer(credentials.token)
  return profileSession(profiles, name, credentials.id)
}

/** A code of the app, or the password of an account without one; nobody is asked where nobody sits. */
async function stepUp(console: Console, error: StepUpRequired) {
  if (!isPerson(console)) return null
  const typed = await ask(console, `${error.message}. Code of your app, or password: `, { isHidden: true })
  return /^\d{6}$/.test(typed) ? { code: typed } : { current_password: typed }
}
