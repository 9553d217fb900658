// Sets scenes: organizations, people with roles, records in states; and sends requests as these people.
import { randomBytes } from 'node:crypto'
import type { FastifyInstance, LightMyRequestResponse } from 'fastify'
import { expect } from 'vitest'
import type { AccessTokens } from '#kernel/access/access-tokens.ts'
import { FLAGS, type RoleName, SCOPES, type Scope } from '#kernel/values/permissions.ts'
import type { StaffRoleName } from '#kernel/values/staff-roles.ts'
import type { TestDatabase } from './database.ts'

export type Answer = {
  status: number
  // oxlint-disable-next-line typescript/no-explicit-any -- a test reads what it expects
  data: any
  meta: { page: number; per_page: number; total: number; pages: number; next_cursor?: string | null } | null
  message: string | null
  errors: {
    code: string
    reason?: string
    docs_url?: string
    fields?: Record<string, string>
    field_codes?: Record<string, string>
    detail?: string
  } | null
  headers: LightMyRequestResponse['headers']
  raw: LightMyRequestResponse
}

export type Headers = Record<string, string>

/** Sends requests as one caller. Paths are relative to the base path. */
export type Speaker = {
  userId: number
  email: string
  token: string
  headers: Headers
  get: (path: string, headers?: Headers) => Promise<Answer>
  post: (path: string, body?: unknown, headers?: Headers) => Promise<Answer>
  put: (path: string, body?: unknown, headers?: Headers) => Promise<Answer>
  patch: (path: string, body?: unknown, headers?: Headers) => Promise<Answer>
  delete: (path: string, headers?: Headers) => Promise<Answer>
}

export type Organization = {
  id: number
  name: string
  owner: Speaker
  /** Adds a collaborator, by default a member, with the given scopes. */
  member: (options?: { role?: RoleName; scopes?: Scope[]; expiredAt?: Date; email?: string }) => Promise<Speaker>
  /** An administrator of the platform, with this organization in the header. */
  staff: Speaker
  /** A person of staff with these roles, with this organization in the header. */
  staffAs: (...roles: StaffRoleName[]) => Promise<Speaker>
}

type Options = {
  app: Pick<FastifyInstance, 'inject'>
  database: TestDatabase
  accessTokens: AccessTokens
  clock: { now: Date }
}

export type World = ReturnType<typeof createWorld>

export function createWorld({ app, database, accessTokens, clock }: Options) {
  async function ask(method: string, path: string, body: unknown, headers: Headers): Promise<Answer> {
    const response = await app.inject({
      method: method as 'GET',
      url: `/api/v1${path}`,
      headers: body === undefined ? headers : { 'content-type': 'application/json', ...headers },
      ...(body !== undefined && {
        payload: typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body),
      }),
    })
    return readAnswer(response)
  }

  function speaker(headers: Headers, who: { userId: number; email: string; token: string }): Speaker {
    const as = (more: Headers = {}) => ({ ...headers, ...more })
    return {
      ...who,
      headers,
      get: (path, more) => ask('GET', path, undefined, as(more)),
      post: (path, body, more) => ask('POST', path, body, as(more)),
      put: (path, body, more) => ask('PUT', path, body, as(more)),
      patch: (path, body, more) => ask('PATCH', path, body, as(more)),
      delete: (path, more) => ask('DELETE', path, undefined, as(more)),
    }
  }

  /** A user with a session and no organization. */
  async function user(
    options: { name?: string; email?: string; roles?: string[]; status?: string } = {},
  ): Promise<Speaker> {
    const unique = randomBytes(4).toString('hex')
    const {
      name = `Person ${unique}`,
      email = `person-${unique}@example.com`,
      roles = ['customer'],
      status = 'ACTIVE',
    } = options
    const [row] = await database.query<{ id: number }>(
      `insert into users (email, name, login, roles, status) values ($1, $2, $3, $4, $5) returning id`,
      [email, name, `login-${unique}`, roles, status],
    )
    const userId = row?.id ?? 0
    const [session] = await database.query<{ id: number }>(
      `insert into sessions (user_id, expires_at) values ($1, $2) returning id`,
      [userId, new Date(clock.now.getTime() + 7 * 86_400_000)],
    )
    const { access_token: token } = await accessTokens.issue({
      userId,
      sessionId: session?.id ?? 0,
      organizationId: null,
      roles,
      scopes: [],
      now: clock.now,
    })
    return speaker({ authorization: `Bearer ${token}` }, { userId, email, token })
  }

  /** The same user with an organization in the header. */
  const inside = (who: Speaker, organizationId: number): Speaker =>
    speaker({ ...who.headers, 'x-service-organization': String(organizationId) }, who)

  async function join(
    who: Speaker,
    organizationId: number,
    role: RoleName,
    scopes: readonly Scope[],
    expiredAt?: Date,
  ): Promise<void> {
    const flags = FLAGS.filter((flag) => scopes.some((scope) => SCOPES[scope].flag === flag))
    const columns = flags.map((flag) => `, ${flag}`).join('')
    await database.query(
      `insert into collaborators (organization_id, user_id, email, role, expired_at, invite_status${columns})
       values ($1, $2, $3, $4, $5, 'accepted'${flags.map(() => ', true').join('')})`,
      [organizationId, who.userId, who.email, role, expiredAt ?? null],
    )
  }

  let administrator: Promise<Speaker> | undefined

  async function organization(options: { name?: string; country?: string } = {}): Promise<Organization> {
    const { name = `Organization ${randomBytes(4).toString('hex')}`, country = 'BR' } = options
    const owner = await user()
    const [row] = await database.query<{ id: number }>(
      `insert into organizations (name, owner_id, country) values ($1, $2, $3) returning id`,
      [name, owner.userId, country],
    )
    const id = row?.id ?? 0
    await database.query(`insert into event_sequences (organization_id) values ($1)`, [id])
    await join(owner, id, 'owner', [])
    administrator ??= user({ name: 'Staff', roles: ['customer', 'administrator'] })
    return {
      id,
      name,
      owner: inside(owner, id),
      staff: inside(await administrator, id),
      staffAs: async (...roles) => inside(await user({ roles: ['customer', ...roles] }), id),
      member: async ({ role = 'member', scopes = [], expiredAt, email } = {}) => {
        const who = await user(email === undefined ? {} : { email })
        await join(who, id, role, scopes, expiredAt)
        return inside(who, id)
      },
    }
  }

  const anonymous: Speaker = speaker({}, { userId: 0, email: '', token: '' })

  return { user, organization, inside, anonymous, speaker }
}

function readAnswer(response: LightMyRequestResponse): Answer {
  const isFile = response.headers['content-disposition'] !== undefined
  const isEmpty = isFile || response.statusCode === 304
  const body: unknown = isEmpty ? { success: true } : response.body === '' ? {} : JSON.parse(response.body)
  expect(body).toMatchObject({ success: response.statusCode < 400 })
  expect(response.headers['x-request-id']).toBeTypeOf('string')
  const { data, meta, message, errors } = body as Pick<Answer, 'data' | 'meta' | 'message' | 'errors'>
  const content = isFile ? response.rawPayload : data
  return { status: response.statusCode, data: content, meta, message, errors, headers: response.headers, raw: response }
}
