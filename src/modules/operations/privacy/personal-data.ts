// What exports and erasures of a person do with the columns that refer to an account, which the modules declare.
import type { ErasureRules } from './organization-erasure.ts'
import { raw, type Statement, sql } from '#kernel/values/sql.ts'

/** No export has a column with such a name: keys, digests, tokens, and where files are. */
export const SECRET_COLUMN =
  /digest|nonce|secret|password|token|public_key|credential_id|consumer_key|storage_key|last_step|challenge/

/** Of a row in which a person had a part; those that the table has. */
const OF_REFERENCES: readonly string[] = [
  'id',
  'organization_id',
  'resource',
  'resource_id',
  'created_at',
  'changed_at',
]

type PersonalTable = { name: string; by: string; columnsOf: (columns: readonly string[]) => string[] }

const isOpen = (column: string): boolean => !SECRET_COLUMN.test(column)

type People = ErasureRules['people']
type PersonalColumn = People[string]

/** The tables that an export of a person has, and which of their columns. */
export const personalTables = (people: People): PersonalTable[] =>
  Object.entries(people).map(([key, { exports }]) => {
    const [name = '', by = ''] = key.split('.')
    const isOfReference = (column: string): boolean => column === by || OF_REFERENCES.includes(column)
    return { name, by, columnsOf: (columns) => columns.filter(exports === 'row' ? isOpen : isOfReference) }
  })

/**
 * `addresses`: those that the person has had and nobody else has; none where they never proved the one of the account.
 */
export type ErasedPerson = { id: number; email: string; name: string; addresses: string[] }

/** Remove what was made for the person alone, by the account or by its addresses. Run again they change nothing. */
export const removeOwn = ({ id, email, addresses }: ErasedPerson): Statement[] => [
  sql`delete from inbox_entries where user_id = ${id}`,
  sql`delete from sso_identities where user_id = ${id}`,
  sql`delete from organization_contacts where user_id = ${id} or lower(email) = any(${addresses}::text[])`,
  sql`delete from muted_addresses where email = any(${addresses}::text[])`,
  sql`delete from contact_confirmations where email = any(${addresses}::text[])`,
  sql`delete from mails where user_id = ${id} or email = any(${addresses}::text[])`,
  // Those about the account alone, also to an address that was never proven.
  sql`delete from mails where organization_id is null and user_id is null
    and (email = lower(${email}) or kind = 'email-change' and email in (
    select lower(details ->> 'email') from service_audit where resource = 'user' and resource_id = ${id}
      and action = 'email_change_requested'))`,
]

/** Clear the copies that other records have, each in one table. Run again they change nothing. */
export const clearCopies = (people: People, { id, name, addresses }: ErasedPerson): Statement[] => [
  ...cleared(people, id, ({ erased }) => erased),
  // As the copies above: no list is counted by it.
  sql`update ${raw('quotes')} set recipients = array(
         select r from unnest(recipients) r where r <> all(${addresses}::text[]))
       where recipients && ${addresses}::text[]`,
  // What staff wrote about why they enter an organization, as in the audit log.
  sql`update staff_entries set reason = without_person(reason, addresses_pattern(${addresses}::text[]), ${name},
    ${erasedAddress(id)}, true)
       where reason ~* addresses_pattern(${addresses}::text[])`,
]

const erasedAddress = (id: number): string => `erased-${id}@erased.invalid`

/** The same for what fiscal law made keep. */
export const clearKeptCopies = (people: People, userId: number): Statement[] =>
  cleared(people, userId, ({ erasedLater }) => erasedLater)

const cleared = (
  people: People,
  userId: number,
  valuesOf: (column: PersonalColumn) => PersonalColumn['erased'],
): Statement[] =>
  Object.entries(people).flatMap(([key, personal]) => {
    const erased = valuesOf(personal)
    if (!erased) return []
    const [table = '', by = ''] = key.split('.')
    const values = Object.entries(erased).map(
      ([column, value]) => `${column} = ${value === null ? 'null' : `'${value}'`}`,
    )
    return sql`update ${raw(table)} set ${raw(values.join(', '))} where ${raw(by)} = ${userId}`
  })
