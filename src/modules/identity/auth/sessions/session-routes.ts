// The caller's sessions (docs/interface/identity.md, Authentication).
import { Type } from 'typebox'
import { user } from '#kernel/values/permissions.ts'
import { route } from '#http/route.ts'
import { ById } from '#kernel/values/schema.ts'
import { endOtherSessions, endSession, signOut } from './end-sessions.ts'
import { EndedSessions, Session, SessionPaging } from './session.ts'
import { sessions } from './sessions.ts'

export const sessionRoutes = [
  route({
    method: 'POST',
    path: '/auth/logout',
    access: user,
    purpose: 'End the current session.',
    description: 'Its access tokens and refresh tokens end at once.',
    data: Type.Null(),
    run: (ctx) => signOut(ctx),
  }),
  route({
    method: 'GET',
    path: '/auth/sessions',
    access: user,
    purpose: 'List the caller’s sessions.',
    description:
      'Those that live, newest first; those that have ended are left out. `last_seen_at` is up to six minutes late.',
    query: SessionPaging,
    page: Session,
    read: ({ userId, sessionId, now }, { query }) => sessions.page({ userId, sessionId, now }, query),
  }),
  route({
    method: 'DELETE',
    path: '/auth/sessions/{id}',
    access: user,
    purpose: 'Delete a session of the caller.',
    description: 'Its access tokens and refresh tokens end at once. It may be the current one.',
    params: ById,
    data: Type.Null(),
    run: (ctx, { params }) => endSession(ctx, params.id),
  }),
  route({
    method: 'DELETE',
    path: '/auth/sessions',
    access: user,
    purpose: 'Delete all other sessions of the caller.',
    description: 'All but the one of this request.',
    openapi: { operationId: 'deleteOtherSessions' },
    data: EndedSessions,
    run: (ctx) => endOtherSessions(ctx),
  }),
]
