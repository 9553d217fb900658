// All SQL of canned replies, which belong to no organization.
import { contains } from '#kernel/data/lists/search.ts'
import { raw, sql, when } from '#kernel/values/sql.ts'
import { page, row } from '#http/route.ts'
import { CannedReply, type CannedReplyFilters } from './canned-reply.ts'

const columns = raw(Object.keys(CannedReply.properties).join(', '))

const matching = (search: string | undefined) =>
  when(
    search,
    (text) => sql`and (${contains('name', text)} or ${contains('body_pt_br', text)} or ${contains('body_en', text)})`,
  )

type Values = Omit<CannedReply, 'id' | 'created_at' | 'updated_at'>

export const cannedReplies = {
  page: ({ search, company, ...query }: CannedReplyFilters) =>
    page(query, {
      columns: sql`${columns}`,
      from: sql`from canned_replies where true ${matching(search)}
        ${when(company, (one) => sql`and (company = ${one} or company is null)`)}`,
    }),
  byId: (id: number) => row<CannedReply>(cannedReplies.one(id)),
  one: (id: number) => sql<CannedReply>`select ${columns} from canned_replies where id = ${id}`,
  locked: (id: number) => sql<CannedReply>`select ${columns} from canned_replies where id = ${id} for update`,
  /** `most` for each legal entity, and as many for all: whose ticket it is, is read in the same round trip. */
  byName: (search: string | undefined, most: number) => sql<CannedReply>`
    select ${columns} from (
      select *, row_number() over (partition by company order by lower(name), id) as place
        from canned_replies where true ${matching(search)}) r
     where place <= ${most} order by lower(name), id`,
  add: ({ name, company, body_pt_br, body_en }: Values, now: Date) => sql<CannedReply>`
    insert into canned_replies (name, company, body_pt_br, body_en, created_at, updated_at)
    values (${name}, ${company}, ${body_pt_br}, ${body_en}, ${now}, ${now}) returning ${columns}`,
  change: (id: number, { name, company, body_pt_br, body_en }: Values, now: Date) => sql<CannedReply>`
    update canned_replies set name = ${name}, company = ${company}, body_pt_br = ${body_pt_br}, body_en = ${body_en},
           updated_at = ${now}
     where id = ${id} returning ${columns}`,
  remove: (id: number) => sql<CannedReply>`delete from canned_replies where id = ${id} returning ${columns}`,
}
