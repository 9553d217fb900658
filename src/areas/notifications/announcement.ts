// What is mailed because something happened: one declaration for each mail, in the area where it happens.
import type { IoContext } from '#kernel/data/context.ts'
import type { Statement } from '#kernel/data/sql.ts'
import type { EventType } from '#kernel/data/table.ts'
import type { MailContent, MailKind } from '#texts/mail/content.ts'
import type { AudienceContext, Audience, Recipient } from './recipients.ts'

type Declaration<Facts, Kind extends MailKind, Link extends string | null> = {
  mail: Kind
  /** After which it is mailed. Without one, an operation enqueues `mailRecipient` itself. */
  event?: EventType
  /** Of the event's record. No row: there is nothing to say, nor anybody to say it to. */
  facts: (organizationId: number, id: number) => Statement<Facts>
  audience: Audience<Facts>
  /** Where the button leads; null for no button. */
  link: (facts: Facts, io: IoContext) => Link
  /** `common` goes into it as it is. Null when time has overtaken the news: then no mail is sent. */
  content: (facts: Facts, common: { kind: Kind; organizationName: string; link: Link }, now: Date) => MailContent | null
}

export type Announcement = {
  readonly mail: MailKind
  readonly event: EventType | null
  /** Reads the facts and whom they are for; null when there are none. */
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
        content: (organizationName, io) =>
          content(found, { kind: mail, organizationName, link: link(found, io) }, io.now),
      }
    },
  }
}
