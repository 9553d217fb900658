// One declaration for each notice that an event causes, in the area of the event (docs/interface/messages.md): the
// mail, and the entry in the inbox (docs/interface/messages.md).
import type { ContactRole } from '#modules/messages/contacts/contact.ts'
import type { Needs, NoticeKind } from '#modules/messages/me/notice-kind.ts'
import type { PortalRecord } from '#config/portal.ts'
import type { IoContext } from '#kernel/data/context.ts'
import type { Statement } from '#kernel/values/sql.ts'
import type { EventType } from '#kernel/data/table.ts'
import { COMPANIES, type Company } from '#kernel/values/schema.ts'
import type { MailContent, MailKind } from '#texts/mail/content.ts'
import type { MailAttachment } from '#ports/mail.ts'
import { contactsFor } from './contact-recipients.ts'
import { portalLink } from './portal-link.ts'
import type { Audience, AudienceContext, Recipient } from './recipients.ts'

/** The record that a notice is about, as the portal has pages of them. */
export type About = { record: PortalRecord; id: number | null }

type Declaration<Facts, Kind extends MailKind, Terms> = {
  mail: Kind
  /** The event that causes the mail. Without one, an operation calls `announce` or `queueMails` itself. */
  event?: EventType
  /** Nobody can switch the mail off: the law, or the safety of the account, wants it sent. */
  isMandatory?: true
  /** Those whom the organization has named for it get it instead of the audience. */
  contact?: ContactRole
  /** Reads what the mail says of the event's record. No row: no mail. */
  facts: (organizationId: number, id: number) => Statement<Facts>
  /** Reads what else it depends on of the organization, which a cluster has elsewhere than its records. */
  terms?: (organizationId: number) => Statement<Terms>
  audience: Audience<Facts>
  /** The page that the button opens, and the record of the entry in the inbox. */
  about: (facts: Facts) => About
  /** Mail programs show the mails about one record as one conversation. */
  isThread?: true
  /** Staff alone may read it, also where some of them are members. */
  isInternal?: (facts: Facts) => boolean
  /** Where the button of the mail leads instead; null for no button. */
  link?: (facts: Facts, io: IoContext) => string | null
  /** The address to which an account answers; null for none. */
  answersTo?: (facts: Facts, userId: number, io: IoContext) => Promise<string | null>
  /** The papers that come with it, for those who want them. */
  attach?: (facts: Facts, io: IoContext) => Promise<MailAttachment[]>
  /**
   * Includes `common` unchanged. Null when the record has changed since and the mail would be out of date: none is
   * sent.
   */
  content: (
    facts: Facts & Partial<Terms>,
    common: { kind: Kind; organizationName: string; link: string | null },
    io: IoContext,
  ) => MailContent | null
}

export type Announcement = {
  readonly mail: MailKind
  readonly event: EventType | null
  readonly isMandatory: boolean
  readonly contact: ContactRole | null
  readonly needs: Needs | null
  /** Reads the facts and finds the recipients; null when there are no facts. */
  readonly prepare: (context: AudienceContext, id: number) => Promise<PreparedMail | null>
}

type PreparedMail = {
  recipients: Recipient[]
  about: About
  /** The conversation that the mail belongs to. */
  thread: About | null
  /** The legal entity of the record; null where it has none. */
  company: Company | null
  /** Who may read it in the inbox. */
  needs: Needs | null
  content: (organizationName: string, io: IoContext) => MailContent | null
  attachments: (io: IoContext) => Promise<MailAttachment[]>
  answersTo: (userId: number, io: IoContext) => Promise<string | null>
}

export function announcement<Facts extends object, Kind extends MailKind, Terms = object>(
  declared: Declaration<Facts, Kind, Terms>,
): Announcement {
  const { mail, event = null, isMandatory = false, contact = null, facts, terms, audience, about, content } = declared
  const linkOf = (found: Facts, io: IoContext): string | null => {
    if (declared.link) return declared.link(found, io)
    const { record, id } = about(found)
    return portalLink(io, record, id)
  }
  const needsOf = (found: Facts): Needs | null =>
    audience.needs && declared.isInternal?.(found) ? { ...audience.needs, members: null } : audience.needs
  return {
    mail,
    event,
    isMandatory,
    contact,
    needs: audience.needs,
    async prepare(context, id) {
      const { ask, organizationId } = context
      const [[found], [agreed]] = await Promise.all([
        ask(facts(organizationId, id)),
        terms ? ask(terms(organizationId)) : [],
      ])
      if (found === undefined) return null
      const named = contact === null ? [] : await contactsFor(context, { role: contact, kind: mail })
      return {
        recipients: named.length > 0 ? named : await audience.find(context, found),
        about: about(found),
        thread: declared.isThread ? about(found) : null,
        company: companyIn(found),
        needs: needsOf(found),
        content: (organizationName, io) =>
          content({ ...found, ...agreed }, { kind: mail, organizationName, link: linkOf(found, io) }, io),
        attachments: async (io) => declared.attach?.(found, io) ?? [],
        answersTo: async (userId, io) => declared.answersTo?.(found, userId, io) ?? null,
      }
    },
  }
}

export const noticeKinds = (announcements: readonly Announcement[]): NoticeKind[] =>
  announcements.flatMap(({ mail, isMandatory, contact, needs }) =>
    needs ? [{ kind: mail, isMandatory, contact, needs }] : [],
  )

const companyIn = (facts: object): Company | null =>
  'company' in facts ? (COMPANIES.find((one) => one === facts.company) ?? null) : null
