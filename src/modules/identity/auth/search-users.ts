// Users by the beginning of their e-mail address, login or name, for staff's search. They belong to no organization.
import { beginsWith, MOST_OF_A_KIND } from '#kernel/data/lists/search.ts'
import { join, raw, sql, type Statement } from '#kernel/values/sql.ts'

/** Each has an index. */
const FIELDS = { email: 'lower(u.email)', login: 'u.login', name: 'fold(u.name)' }

export function usersNamed(q: string): Statement {
  const text = { email: sql`lower(btrim(${q}))`, login: sql`btrim(${q})`, name: sql`fold(btrim(${q}))` }
  const of = (field: keyof typeof FIELDS) => sql`
    (select u.id, null::bigint as organization_id, u.name || ' ' || u.email as label, ${raw(`'${field}'`)} as matched,
            ${raw(FIELDS[field])} = ${text[field]} as is_exact
       from users u where ${beginsWith(FIELDS[field], text[field])} limit ${MOST_OF_A_KIND})`
  return join([of('email'), of('login'), of('name')], ' union all ')
}
