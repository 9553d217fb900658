// One declaration for each mail that an event causes, in the area of the event (docs/decisions/0036).
import type { IoContext } from '#kernel/data/context.ts'
import type { Statement } from '#kernel/data/sql.ts'
import type { EventType } from '#kernel/data/table.ts'
import type { MailContent, MailKind } from '#texts/mail/content.ts'
import type { AudienceContext, Audience, Recipient } from './recipients.ts'

type Declaration<Facts, Kind extends MailKind, Link extends string | null> = {
  mail: Kind
  /** The event that causes the mail. Without one, an operation enqueues `mailRecipient` itself. */
  event?: EventType
  /** Reads what the mail says of the event's record. No row: no mail. */
  facts: (organizationId: number, id: number) => Statement<Facts>
  audience: Audience<Facts>
  /** Where the button leads; null for no button. */
  link: (facts: Facts, io: IoContext) => Link
  /**
   * Includes `common` unchanged. Null when the record has changed since and the mail would be out of date: none is
   * sent.
   */
  content: (
    facts: Facts,
    common: { kind: Kind; organizationName: string; link: Link },
    io: IoContext,
  ) => MailContent | null
}

export type Announcement = {
  readonly mail: MailKind
  readonly event: EventType | null
  /** Reads the facts and finds the recipients; null when there are no facts. */
  readonly prepare: (context: AudienceContext, id: number) => Promise<Prepared | null>
}

type Prepared = {
  recipients: Recipient[]
  content: (organizationName: string, io: IoContext) => MailContent | null
}

export function announcement<Facts, Kind extends MailKind, Link extends string | null>(
  declared: Declaration<Facts, Kind, Link>,
): Announcement {
  const { mail, event = null, facts, audience, link, content } = declared
  return {
    mail,
    event,
    async prepare(context, id) {
      const [found] = await context.ask(facts(context.organizationId, id))
      if (found === undefined) return null
      return {
        recipients: await audience(context, found),
        content: (organizationName, io) => content(found, { kind: mail, organizationName, link: link(found, io) }, io),
      }
    },
  }
}
