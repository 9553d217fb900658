// What a member wants to be told of, in an organization and by which channel (docs/interface/messages.md, Notices).
import { Type, type Static } from 'typebox'
import type { Caller, OrganizationContext } from '#kernel/data/context.ts'
import { raw, sql } from '#kernel/values/sql.ts'
import { forbidden, invalid } from '#kernel/values/errors.ts'
import { holds, ROLE_NAMES, type RoleName, weightOf } from '#kernel/values/permissions.ts'
import { storableJson } from '#kernel/values/text/text.ts'
import { Closed } from '#kernel/values/schema.ts'
import { languageFrom } from '#texts/language.ts'
import type { NoticeKind } from './notice-kind.ts'
import { noticeName } from './notice-name.ts'

const Kind = Type.String({ minLength: 1, maxLength: 100, examples: ['quote-expiring'] })
const Preference = Type.Object(
  {
    kind: Kind,
    name: Type.String({ description: 'What the kind is called, in the caller’s language', examples: ['New quotes'] }),
    mandatory: Type.Boolean({ description: 'Its mail cannot be switched off' }),
    mail: Type.Boolean(),
    inbox: Type.Boolean(),
  },
  { description: 'Whether the caller gets a kind of notice by mail and in the inbox' },
)
type Preference = Static<typeof Preference>
export const Preferences = Type.Object({ preferences: Type.Array(Preference) })

export const preferenceChange = (kinds: readonly NoticeKind[]) =>
  Closed({
    preferences: Type.Array(
      Closed({
        kind: Type.Enum(
          kinds.map(({ kind }) => kind),
          { examples: ['quote-expiring'] },
        ),
        mail: Type.Optional(Type.Boolean()),
        inbox: Type.Optional(Type.Boolean()),
      }),
      { minItems: 1, maxItems: 100 },
    ),
  })
export type PreferenceChange = Static<ReturnType<typeof preferenceChange>>

type PreferenceRow = { kind: string; mail: boolean; inbox: boolean }
/** An API key asks as its creator. */
const OF_CALLER = raw(`nullif(current_setting('app.user_id', true), '')::bigint`)

export const noticePreferences = {
  ofCaller: (org: number) =>
    sql<PreferenceRow>`select kind, mail, inbox from notice_preferences where organization_id = ${org}
      and user_id = ${OF_CALLER}`,
  /** What these users have said of the kind. */
  of: (org: number, kind: string, userIds: readonly number[]) => sql<{
    user_id: number
    mail: boolean
    inbox: boolean
  }>`
    select user_id, mail, inbox from notice_preferences
     where organization_id = ${org} and user_id = any(${userIds}::bigint[]) and kind = ${kind}`,
  save: (
    org: number,
    userId: number | null,
    changes: readonly PreferenceChange['preferences'][number][],
    now: Date,
  ) => sql`
    insert into notice_preferences as p (organization_id, user_id, kind, mail, inbox, updated_at)
    select ${org}, ${userId}::bigint, c.kind, coalesce(c.mail, true), coalesce(c.inbox, true), ${now}
      from jsonb_to_recordset(${storableJson(changes)}::jsonb) as c (kind text, mail boolean, inbox boolean)
    on conflict (organization_id, user_id, kind) do update set updated_at = excluded.updated_at,
      mail = coalesce((select c.mail from jsonb_to_recordset(${storableJson(changes)}::jsonb) as c (kind text, mail
        boolean)
                        where c.kind = p.kind), p.mail),
      inbox = coalesce((select c.inbox from jsonb_to_recordset(${storableJson(changes)}::jsonb) as c (kind text, inbox
        boolean)
                         where c.kind = p.kind), p.inbox)`,
}

const isAtLeast = (role: string, least: RoleName): boolean =>
  ROLE_NAMES.some((name) => name === role && weightOf(name) >= weightOf(least))

type Recipient = { caller: Pick<Caller, 'staff' | 'language'>; scopes: readonly string[]; role: string }

/** The kinds that the caller could get in the organization. */
const kindsFor = (kinds: readonly NoticeKind[], { caller, scopes, role }: Recipient): NoticeKind[] =>
  kinds.filter(({ needs: { members, staff } }) =>
    caller.staff
      ? scopes.includes('*') || scopes.includes(staff)
      : members !== null &&
        isAtLeast(role, members.atLeast) &&
        (members.scope === null || holds(scopes, members.scope)),
  )

export function preferencesOf(
  kinds: readonly NoticeKind[],
  stored: readonly PreferenceRow[],
  recipient: Recipient,
): Preference[] {
  const known = new Map(stored.map((one) => [one.kind, one]))
  const language = languageFrom(recipient.caller.language, 'en')
  return kindsFor(kinds, recipient).map(({ kind, isMandatory }) => {
    const { mail = true, inbox = true } = known.get(kind) ?? {}
    return { kind, name: noticeName(language, kind), mandatory: isMandatory, mail: isMandatory || mail, inbox }
  })
}

export async function savePreferences(
  ctx: OrganizationContext,
  kinds: readonly NoticeKind[],
  { preferences }: PreferenceChange,
): Promise<Preference[]> {
  if (ctx.caller.kind === 'api_key')
    throw forbidden('person_needed', 'Which notices somebody gets only they decide; no API key may')
  const offered = new Map(kindsFor(kinds, ctx).map((kind) => [kind.kind, kind]))
  const problems = preferences.flatMap(({ kind, mail }, index): [string, string][] => {
    const known = offered.get(kind)
    if (!known) return [[`preferences.${index}.kind`, 'must be a kind of notice that the caller can get']]
    if (preferences.findIndex((other) => other.kind === kind) < index)
      return [[`preferences.${index}.kind`, 'is given twice']]
    return known.isMandatory && mail === false
      ? [[`preferences.${index}.mail`, 'cannot be switched off: the mail is mandatory']]
      : []
  })
  if (problems.length > 0) throw invalid(Object.fromEntries(problems))
  const { organizationId, caller, now } = ctx
  await ctx.ask(noticePreferences.save(organizationId, caller.userId, preferences, now))
  return preferencesOf(kinds, await ctx.ask(noticePreferences.ofCaller(organizationId)), ctx)
}
