// What a person has: the inbox over all organizations, and in each what waits for them and which notices they get
// (docs/interface/messages.md, Notices).
import { org, staffNeed, user } from '#kernel/values/permissions.ts'
import type { Action } from '#http/manifest/actions.ts'
import { one } from '#kernel/data/context.ts'
import { parts, type ReadContext, route } from '#http/route.ts'
import { ById } from '#kernel/values/schema.ts'
import { todayOf } from '#ports/ports.ts'
import { brandNamesIn } from '#ports/brand.ts'
import { hiddenScopesIn } from '#ports/settings-in-force.ts'
import { Access, accesses, AccessQuestion, shapeAccess } from './access.ts'
import { Actions, actionsOf, shapeActions } from './actions.ts'
import { AllRead, InboxCount, InboxEntry, InboxFilters, MarkedRead, ReadMark, type StoredEntry } from './inbox-entry.ts'
import { inbox, type Recipient } from './inbox-queries.ts'
import { entryFor, markEntry, recipientIn } from './inbox.ts'
import type { NoticeKind } from './notice-kind.ts'
import { noticePreferences, preferenceChange, Preferences, preferencesOf, savePreferences } from './preferences.ts'
import { unsubscribeRoutes } from './unsubscribe-routes.ts'

const recipientOf = ({ userId, sessionId, now, ports }: ReadContext): Recipient => ({
  userId,
  sessionId,
  now,
  staffMfa: ports.settings.staffMfa === 'required',
  hiddenScopes: hiddenScopesIn(ports.settings),
  brands: brandNamesIn(ports.settings),
})

const inboxRoutes = [
  route({
    method: 'GET',
    path: '/me/inbox',
    access: user,
    purpose: 'List the notices of the caller, of all of their organizations.',
    description:
      'Newest first, in the language of the caller’s profile. A notice is listed as long as the caller may ' +
      'read what it is about.',
    query: InboxFilters,
    openapi: { operationId: 'listInbox' },
    page: InboxEntry,
    read: (asked, { query }) => ({
      ...inbox.page(recipientOf(asked), query),
      each: (entry: StoredEntry, { caller, ports }) => entryFor({ caller, settings: ports.settings }, entry),
    }),
  }),
  route({
    method: 'GET',
    path: '/me/inbox/count',
    access: user,
    purpose: 'Get the number of unread notices of the caller.',
    description:
      'In all, and by organization; organizations without an unread one are left out. Notices whose record the ' +
      'caller may not read any more do not count.',
    openapi: { operationId: 'getInboxCount' },
    data: InboxCount,
    read: (asked) =>
      parts([inbox.unread(recipientOf(asked))], ([organizations]) => ({
        unread: organizations.reduce((sum, { unread }) => sum + unread, 0),
        organizations,
      })),
  }),
  route({
    method: 'PUT',
    path: '/me/inbox/{id}',
    access: user,
    purpose: 'Update a notice: read or unread.',
    description:
      'Only for the caller; other recipients have entries of their own. 404 for a notice whose record the caller ' +
      'may not read any more.',
    params: ById,
    body: ReadMark,
    openapi: { operationId: 'updateNotice', example: { read: true } },
    data: InboxEntry,
    run: async (ctx, { params, body }) => ({ data: await markEntry(ctx, params.id, body.read) }),
  }),
  route({
    method: 'POST',
    path: '/me/inbox/read-all',
    access: user,
    purpose: 'Mark all notices of the caller as read.',
    description:
      'With `organization_id` only those of that organization. `marked` says how many were unread. Single ones can ' +
      'be marked as unread again.',
    body: AllRead,
    openapi: { operationId: 'markAllNotices', example: { organization_id: 1 } },
    data: MarkedRead,
    run: async (ctx, { body }) => ({
      data: await one(ctx, inbox.markAll(recipientIn(ctx), body.organization_id, ctx.now)),
    }),
  }),
]

export const meRoutes = (kinds: readonly NoticeKind[], actions: readonly Action[]) => [
  ...inboxRoutes,
  ...unsubscribeRoutes(kinds),
  route({
    method: 'GET',
    path: '/me/notice-preferences',
    access: org(),
    purpose: 'List which notices of the organization the caller gets, by mail and in the inbox.',
    description: 'Of the kinds that the caller’s role and scopes allow. Everything is on until it is switched off.',
    openapi: { operationId: 'listNoticePreferences' },
    data: Preferences,
    read: ({ org: id }) =>
      parts([noticePreferences.ofCaller(id)], ([stored], reader) => ({
        preferences: preferencesOf(kinds, stored, reader),
      })),
  }),
  route({
    method: 'PUT',
    path: '/me/notice-preferences',
    access: staffNeed(org(), 'organization'),
    purpose: 'Update which kinds of notices the caller gets.',
    description: 'Only what is given changes. The mail of a mandatory kind cannot be switched off: 422.',
    body: preferenceChange(kinds),
    openapi: {
      operationId: 'updateNoticePreferences',
      example: { preferences: [{ kind: 'quote-expiring', mail: false }] },
    },
    data: Preferences,
    features: { person: true },
    run: async (ctx, { body }) => ({
      data: { preferences: await savePreferences(ctx, kinds, body) },
      message: 'Preferences saved',
    }),
  }),
  route({
    method: 'GET',
    path: '/me/access',
    access: org(),
    purpose: 'Get what the caller may in the organization, and who can grant what is missing.',
    description:
      'After a 403 with `scope_missing`, ask with that `scope`. Those who can grant it are named; their ' +
      'addresses are there for whoever sees the members. Nobody can while the vendor hides it (`is_hidden`). For ' +
      'staff and API keys nobody is named: an administrator of the vendor gives roles to staff, and the scopes of a ' +
      'key are changed with it.',
    query: AccessQuestion,
    openapi: { operationId: 'getAccess' },
    data: Access,
    read: (asked, { query }) =>
      parts(
        [accesses.own(asked.org, asked, hiddenScopesIn(asked.ports.settings)), accesses.managers(asked.org, asked)],
        ([own, managers], caller) => shapeAccess(caller, own, managers, query.scope),
      ),
  }),
  route({
    method: 'GET',
    path: '/me/actions',
    access: org(),
    purpose: 'List what waits for the caller in the organization.',
    description:
      'Each kind only with its scope: how many records wait (100 at most are counted), and the first five. ' +
      'It is read from the records, so nothing has to be ticked off.\n\n' +
      `${actions.map(({ kind, does }) => `\`${kind}\`: ${does}`).join('; ')}.`,
    openapi: { operationId: 'listActions' },
    data: Actions,
    read: (asked) => {
      const today = todayOf({ now: asked.now, settings: asked.ports.settings })
      return parts(actionsOf(actions, { ...asked, today }), (found) => ({ actions: shapeActions(actions, found) }))
    },
  }),
]
