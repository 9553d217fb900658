// The inbox's answers: an entry gets its text in the reader's language.
import type { CallerContext } from '#http/route.ts'
import { first, one, type SystemContext } from '#kernel/data/context.ts'
import { notFound } from '#kernel/values/errors.ts'
import { languageFrom } from '#texts/language.ts'
import { renderNotice } from '#texts/mail/mail.ts'
import { usualCompany } from '#kernel/values/company.ts'
import { zoneOf } from '#ports/ports.ts'
import { brandNamesIn } from '#ports/brand.ts'
import { hiddenScopesIn } from '#ports/settings-in-force.ts'
import type { InboxEntry, StoredEntry } from './inbox-entry.ts'
import { inbox, type Recipient } from './inbox-queries.ts'
import { pageInPortal } from './portal-page.ts'

type InboxViewer = { caller: { language: string }; settings: CallerContext['ports']['settings'] }

export function entryFor(
  { caller, settings }: InboxViewer,
  { content, country, brands, ...entry }: StoredEntry,
): InboxEntry {
  const { organization_id: organizationId, record, record_id: id } = entry
  const company = content.company ?? usualCompany(country)
  const brand = { name: brands[company], timeZone: zoneOf({ settings }, company) }
  const words = renderNotice(languageFrom(caller.language, 'en'), content, brand)
  return { ...entry, ...words, url: pageInPortal(settings.portal, record, { id, organizationId }) }
}

/** The recipient of a change; `user` routes are of sessions only. */
export const recipientIn = ({ caller, now, settings }: SystemContext): Recipient => ({
  userId: caller.userId ?? 0,
  sessionId: caller.sessionId ?? 0,
  now,
  staffMfa: settings.staffMfa === 'required',
  hiddenScopes: hiddenScopesIn(settings),
  brands: brandNamesIn(settings),
})

export async function markEntry(ctx: SystemContext, id: number, isRead: boolean): Promise<InboxEntry> {
  const recipient = recipientIn(ctx)
  const before = await first(ctx, inbox.one(recipient, id))
  if (!before) throw notFound()
  if ((before.read_at !== null) === isRead) return entryFor(ctx, before)
  await ctx.ask(inbox.mark(recipient, id, isRead ? ctx.now : null))
  return entryFor(ctx, await one(ctx, inbox.one(recipient, id)))
}
