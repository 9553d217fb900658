// An entry of a person's inbox: a notice of one of their organizations (docs/interface/messages.md, Notices). Its text
// is made when it is read, in the reader's language.
import { Type, type Static } from 'typebox'
import type { PortalRecord } from '#config/portal.ts'
import { Closed, type Company, HttpUrl, Id, Name, Nullable, Paging, Timestamp } from '#kernel/values/schema.ts'
import type { MailContent } from '#texts/mail/content.ts'

const Kind = Type.String({ minLength: 1, maxLength: 100, examples: ['invoice-open'] })

export const InboxEntry = Type.Object(
  {
    id: Id,
    organization_id: Id,
    organization_name: Name,
    kind: Kind,
    title: Type.String({ examples: ['Invoice BR-000042 is open'] }),
    text: Type.String({ description: 'Paragraphs, with an empty line between them' }),
    facts: Type.Array(
      Type.Object({ label: Type.String({ examples: ['Total'] }), value: Type.String({ examples: ['R$ 150.00'] }) }),
    ),
    record: Type.String({ description: 'What it is about', examples: ['invoice'] }),
    record_id: Nullable(Id),
    url: Nullable({ ...HttpUrl, description: 'Its page in the console, or the vendor’s portal; null for no record' }),
    created_at: Timestamp,
    read_at: Nullable(Timestamp),
  },
  { description: 'A notice' },
)
export type InboxEntry = Static<typeof InboxEntry>

export type StoredEntry = Omit<InboxEntry, 'title' | 'text' | 'facts' | 'record' | 'url'> & {
  record: PortalRecord
  /** `company`: the legal entity of the record; none where it has none. */
  content: MailContent & { company?: Company }
  country: string | null
  /** What the legal entities are called. */
  brands: Record<Company, string>
}

export const InboxFilters = Closed({
  ...Paging,
  unread: Type.Optional(Type.Boolean({ description: 'true: only unread ones; false: only read ones' })),
  kind: Type.Optional(Kind),
  organization_id: Type.Optional(Id),
})
export type InboxFilters = Static<typeof InboxFilters>

export const ReadMark = Closed({ read: Type.Boolean() })
export const AllRead = Closed({ organization_id: Type.Optional({ ...Id, description: 'Only those of this one' }) })
export const MarkedRead = Type.Object({ marked: Type.Integer({ minimum: 0, examples: [3] }) })
export const InboxCount = Type.Object({
  unread: Type.Integer({ minimum: 0, examples: [3] }),
  organizations: Type.Array(Type.Object({ organization_id: Id, unread: Type.Integer({ minimum: 1, examples: [3] }) })),
})
