// The commands about who calls: logout, whoami, profile.
import { getMe, logout, type Titular } from '@titular/sdk'
import { companyOf, clientOf, organizationOf, urlOf } from './client.ts'
import { say, type Console } from './console.ts'
import { lastOf, type FlagValues } from './flags.ts'
import { printerOf } from './output/printer.ts'
import { profilesOf, type Profile } from './profiles.ts'
import { UsageError } from './usage-error.ts'

export async function signOut(console: Console, given: FlagValues, version: string): Promise<void> {
  const profiles = profilesOf(console.env)
  const name = lastOf(given, 'profile') ?? console.env['TITULAR_PROFILE'] ?? profiles.current()
  const profile = profiles.get(name)
  const isSession = profile.credentials?.kind === 'session' && profile.credentials.tokens !== null
  if (isSession) {
    // Whatever the environment has, the session of the profile is the one that ends.
    const { titular } = clientOf(withoutCredentials(console), withProfile(given, name), version)
    await titular.call(logout).catch(unlessEnded)
  }
  profiles.save(name, { ...profile, credentials: null })
  await say(console, `Signed out; profile "${name}".`)
}

function unlessEnded(error: unknown): void {
  const isOver = error instanceof Error && ['AuthenticationError', 'NotSignedIn'].includes(error.name)
  if (!isOver) throw error
}

const withProfile = (given: FlagValues, name: string): FlagValues => ({
  ...given,
  flags: new Map([...given.flags, ['profile', [name]]]),
})
const withoutCredentials = (console: Console): Console => ({
  ...console,
  env: { ...console.env, TITULAR_URL: undefined, TITULAR_TOKEN: undefined, TITULAR_KEY: undefined },
})

export async function whoami(console: Console, given: FlagValues, version: string): Promise<void> {
  const { titular, scope } = clientOf(console, given, version)
  const { id, email, name, organizations } = await callMe(titular)
  const here = organizations.find((one) => one.id === scope.organization)
  await printerOf(console, given).value({ id, email, name, url: scope.url, organization: here ?? null, organizations })
}

const callMe = (titular: Titular) => titular.call(getMe)

/** Without secrets. */
function shown(name: string, { url, account, organization, company, language, credentials }: Profile, current: string) {
  const by = credentials?.kind === 'session' && credentials.tokens === null ? null : (credentials?.kind ?? null)
  return { name, current: name === current, url, account, organization, company, language, signed_in_by: by }
}

export async function profileCommand(console: Console, given: FlagValues): Promise<void> {
  const profiles = profilesOf(console.env)
  const [verb = 'list', name, ...more] = given.words
  if (more.length > 0 || (verb !== 'list' && name === undefined))
    throw new UsageError('profile list, profile use NAME, profile remove NAME', 'profile')
  if (verb === 'list') {
    const rows = profiles.names().map((one) => shown(one, profiles.get(one), profiles.current()))
    return printerOf(console, given).value(rows)
  }
  if (name === undefined) return
  if (verb === 'use') return use(console, given, name)
  if (verb !== 'remove') throw new UsageError(`profile has no "${verb}": list, use, remove`, 'profile')
  const { credentials } = profiles.get(name)
  profiles.remove(name)
  const isLeft = credentials?.kind === 'session' && credentials.tokens !== null
  await say(
    console,
    `Removed "${name}".${isLeft ? ' Its session lives on until it ends: logout ends one at once.' : ''}`,
  )
}

/** Chooses the profile; with flags it changes what the profile says. */
async function use(console: Console, given: FlagValues, name: string): Promise<void> {
  const profiles = profilesOf(console.env)
  const profile = profiles.get(name)
  const organization = organizationOf(lastOf(given, 'organization'), profile)
  const company = companyOf(lastOf(given, 'company')) ?? profile.company
  const language = lastOf(given, 'language') ?? profile.language
  const isElsewhere = lastOf(given, 'url') !== undefined && urlOf(lastOf(given, 'url')) !== profile.url
  if (isElsewhere)
    throw new UsageError(
      'A profile is of one service: titular login --profile NAME --url … makes another one',
      'profile',
    )
  profiles.save(name, {
    ...profile,
    ...(organization !== undefined && { organization }),
    ...(company !== undefined && { company }),
    ...(language !== undefined && { language }),
  })
  profiles.use(name)
  await say(
    console,
    `Using "${name}": ${profile.url}${organization === undefined ? '' : `, organization ${organization}`}.`,
  )
}
