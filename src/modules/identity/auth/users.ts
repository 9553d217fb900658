// All SQL of users, and of the memberships that a user has now.
import { isInForce } from '#kernel/values/time/clock-skew.ts'
import { SCOPE_NAMES, capabilityOf } from '#kernel/values/permissions.ts'
import { CUSTOMER, isStaffU, PERMISSIONS_OF_U } from '#kernel/values/staff-roles.ts'
import { type Statement, raw, sql } from '#kernel/values/sql.ts'
import type { Clock } from '#kernel/values/time/clock.ts'
import { BRAZIL } from '#kernel/values/company.ts'
import { storableJson } from '#kernel/values/text/text.ts'
import { hasTotp } from './second-factors/second-factors.ts'
import type { User } from './user.ts'

export type Account = {
  id: number
  email: string
  name: string
  status: 'ACTIVE' | 'PENDING'
  language: string
  password_hash: string | null
  /** A sign-in needs a second factor. */
  has_totp: boolean
}

const account = sql`id, email, name, status, language, password_hash, ${hasTotp}`

/** Memberships in force at that moment as `c`, their organizations as `o`. */
const live = (at: Clock | Date): Statement => sql`
  collaborators c join organizations o on o.id = c.organization_id and o.deleted_at is null
   and c.role <> 'pending' and ${isInForce('c', at)}`

/** What the member `c` has; `hidden`: of organizations without a list of their own. */
const scopesOfC = (hidden: Statement): Statement => sql`visible_scopes(c.granted_scopes, o.hidden_scopes, ${hidden})`

/** The names under which a host platform imports the scopes of `c` (spec 5.6). */
const capabilities = (hidden: Statement): Statement => sql`
  array(select n.capability
          from unnest(${scopesOfC(hidden)}) with ordinality s(scope, position)
          join unnest(${SCOPE_NAMES}::text[], ${SCOPE_NAMES.map(capabilityOf)}::text[]) n(scope, capability)
            on n.scope = s.scope
         order by s.position)`

/** As `usualCompany` says. */
const companyOfO = sql`case when o.country is null or o.country ~* ${BRAZIL} then 'entity_br' else 'entity_global' end`

/** The undo of an address change (`address_undos`, as `a`) that reserves the old address for its account. */
const keptFor = (email: string, now: Date): Statement => sql`
  select 1 from address_undos a where lower(a.email) = lower(${email}) and a.changed_at is not null
    and a.expires_at > ${now}`

export type NewUser = {
  email: string
  name: string
  status: 'ACTIVE' | 'PENDING'
  roles: readonly string[]
  language: string
  passwordHash: string | null
  now: Date
}

export const users = {
  /** The account of an address, unless it is disabled. */
  byEmail: (email: string) => sql<Account>`
    select ${account} from users where lower(email) = lower(${email}) and disabled_at is null`,
  byId: (id: number) => sql<Account>`select ${account} from users where id = ${id} and disabled_at is null`,
  /** Of the organization that the person last worked in, else of their first; no row for who has none. */
  countryOf: (id: number, at: Clock) => sql<{ country: string | null }>`
    select o.country from ${live(at)} join users u on u.id = c.user_id
     where u.id = ${id} order by o.id = u.active_team_id desc nulls last, o.id limit 1`,
  exists: (id: number) => sql<{ id: number }>`select id from users where id = ${id}`,
  anybody: () => sql`select id from users limit 1`,
  statusOf: (email: string) => sql<Pick<Account, 'id' | 'status'>>`
    select id, status from users where lower(email) = lower(${email})`,
  /** Waits for a transaction that changes the address just now, so that later statements see its reservation. */
  holding: (email: string) => sql`select id from users where lower(email) = lower(${email}) for share`,
  /** Locked until the transaction ends. */
  locked: (id: number) => sql<Account>`
    select ${account} from users where id = ${id} and disabled_at is null for no key update`,

  inFull: (id: number, now: Date, hidden: Statement) => sql<User>`
    select u.id, u.email, u.name, u.login, u.avatar, u.phone, u.status, u.roles, u.provider, u.language, u.registered,
           array(select distinct p from unnest(${PERMISSIONS_OF_U}) p order by p) as permissions,
           (select c.organization_id from ${live(now)}
             where c.organization_id = u.active_team_id and c.user_id = u.id) as active_team_id,
           coalesce((
             select jsonb_agg(jsonb_build_object('id', o.id, 'name', o.name, 'role', c.role,
                      'scopes', ${scopesOfC(hidden)},
                      'capabilities', ${capabilities(hidden)},
                      'company', ${companyOfO}) order by o.id)
               from ${live(now)} where c.user_id = u.id), '[]') as organizations
      from users u where u.id = ${id}`,
  /**
   * The user's roles, active organization and scopes for an access token. `owns`: an organization in which nothing is
   * hidden from them.
   */
  grants: (id: number, now: Date, hidden: Statement) => sql<{
    roles: string[]
    organization_id: number | null
    scopes: string[]
    owns: boolean
  }>`
    select u.roles,
           (select c.organization_id from ${live(now)}
             where c.organization_id = u.active_team_id and c.user_id = u.id) as organization_id,
           array(select distinct s from ${live(now)}, unnest(${scopesOfC(hidden)}) s
                  where c.user_id = u.id order by s) as scopes,
           exists (select 1 from ${live(now)} where c.user_id = u.id and c.role = 'owner'
             and coalesce(o.hidden_scopes, ${hidden}) = '{}') as owns
      from users u where u.id = ${id}`,

  chooseFirstTeam: (id: number, organizationId: number) => sql`
    update users set active_team_id = ${organizationId} where id = ${id} and active_team_id is null returning id`,

  /** Takes the first free login. No row: the address is taken or reserved, or another transaction took the login. */
  create: (user: NewUser, logins: readonly string[]) => sql<Account>`
    insert into users (email, name, login, status, roles, language, password_hash, registered, updated_at)
    select ${user.email}, ${user.name}, l.login, ${user.status}, ${user.roles}::text[], ${user.language},
      ${user.passwordHash},
           ${user.now}, ${user.now}
      from unnest(${logins}::text[]) with ordinality l(login, position)
     where not exists (select 1 from users u where u.login = l.login)
       and not exists (${keptFor(user.email, user.now)})
     order by l.position limit 1
    on conflict do nothing returning ${account}`,

  /** Only the given columns; `null` clears. */
  change: (id: number, values: Record<string, unknown>, now: Date) => {
    const columns = CHANGEABLE.filter((column) => column in values)
    const list = raw(columns.join(', '))
    const chosen = raw(columns.map((column) => `r.${column}`).join(', '))
    return sql`
      update users u set updated_at = ${now}, (${list}) = (
        select ${chosen} from jsonb_populate_record(u, ${storableJson(values)}::jsonb) r)
       where u.id = ${id} returning u.id`
  },
  rehash: (id: number, passwordHash: string) => sql`
    update users set password_hash = ${passwordHash} where id = ${id} returning id`,
  setPassword: (id: number, passwordHash: string | null, now: Date) => sql`
    update users set password_hash = ${passwordHash}, updated_at = ${now} where id = ${id} returning id`,
  /** Marks the address as proven. No row when another account has or reserves it. */
  prove: (id: number, email: string, now: Date) => sql<{ id: number }>`
    update users u set email = ${email}, status = 'ACTIVE', updated_at = ${now}
     where u.id = ${id} and u.disabled_at is null
       and not exists (select 1 from users other where lower(other.email) = lower(${email}) and other.id <> u.id)
       and not exists (${keptFor(email, now)} and a.user_id <> u.id)
    returning u.id`,
  isMember: (id: number, organizationId: number, now: Date) => sql`
    select c.id from ${live(now)} where c.organization_id = ${organizationId} and c.user_id = ${id}`,
  setDisabled: (id: number, at: Date | null, now: Date) => sql<{ id: number }>`
    update users set disabled_at = ${at}::timestamptz, updated_at = ${now} where id = ${id} returning id`,
  /** Who can sign in. */
  anyAdministrator: () => sql`
    select u.id from users u
     where ${isStaffU(['administrator'])} and u.status = 'ACTIVE' and u.disabled_at is null limit 1`,
  makeAdministrator: (id: number, now: Date) => sql`
    update users set roles = array_remove(roles, 'administrator') || '{administrator}', updated_at = ${now},
           appointed_at = coalesce(appointed_at, ${now})
     where id = ${id} returning id`,
  isStaff: (id: number) => sql`select u.id from users u where u.id = ${id} and ${isStaffU()}`,
  /** Those that were proven to be the account's, unless another account has them now. */
  addresses: (id: number) => sql<{ addresses: string[] }>`
    select array(
      select address from (
        select lower(email) as address from users where id = ${id} and status <> 'PENDING'
         union select lower(details ->> 'from') from service_audit
          where resource = 'user' and resource_id = ${id} and action = 'email_changed'
            and details ->> 'undo_id' is not null) had
       where not exists (select 1 from users other where lower(other.email) = had.address
         and other.id <> ${id})) as addresses`,
  /**
   * What is left refers to nobody; the address is free for others. Nobody can have taken the new one, or the login,
   * before, since it cannot be guessed.
   */
  erase: (id: number, now: Date) => sql`
    update users set email = 'erased-' || gen_random_uuid() || '@erased.invalid', name = 'erased',
      login = 'erased-' || gen_random_uuid(), avatar = null, phone = null, provider = 'password',
           status = 'PENDING', active_team_id = null, roles = ${[CUSTOMER]}::text[], password_hash = null,
             appointed_at = null, appointed_by = null,
           last_signed_in_at = null, disabled_at = coalesce(disabled_at, ${now}), updated_at = ${now} where id = ${id}`,
  isErased: (id: number) => sql`select id from users where id = ${id} and email like 'erased-%@erased.invalid'`,
  signedIn: (id: number, now: Date) => sql`update users set last_signed_in_at = ${now} where id = ${id}`,
}

const CHANGEABLE = ['name', 'email', 'avatar', 'phone', 'provider', 'active_team_id', 'language']
