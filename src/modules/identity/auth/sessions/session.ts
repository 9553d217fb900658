// A session as its person sees it (docs/interface/identity.md, Authentication).
import { Type } from 'typebox'
import { Closed, Id, Nullable, Paging, Timestamp } from '#kernel/values/schema.ts'

import { SECOND_FACTORS } from '../second-factors/second-factor.ts'

export const SIGN_IN_METHODS = ['password', 'mailed_link', 'passkey', 'sso', 'device'] as const
export type SignInMethod = (typeof SIGN_IN_METHODS)[number]

export const Session = Type.Object(
  {
    id: Id,
    is_current: Type.Boolean({ description: 'The session of this request', examples: [true] }),
    is_browser: Type.Boolean({ description: 'Of a cookie; else of tokens', examples: [false] }),
    signed_in_by: Type.Enum(SIGN_IN_METHODS, {
      description:
        'How it was opened; `mailed_link`: by the proof of an e-mail address; `sso`: by single sign-on; ' +
        '`device`: by the approval of another session',
      examples: ['password'],
    }),
    second_factor: Nullable(
      Type.Enum(SECOND_FACTORS, { description: 'What proved it besides the first step', examples: ['totp'] }),
    ),
    ip: Nullable(Type.String({ description: 'The address that signed in', examples: ['203.0.113.7'] })),
    user_agent: Nullable(Type.String({ description: 'What signed in, by its own word', examples: ['Firefox/140.0'] })),
    created_at: Timestamp,
    last_seen_at: Type.String({
      format: 'date-time',
      description: 'Up to six minutes late',
      examples: ['2026-11-20T14:42:55.123Z'],
    }),
    authenticated_at: Type.String({
      format: 'date-time',
      description: 'When its person last proved who they are: by signing in, or by POST /auth/step-up',
      examples: ['2026-11-20T14:42:55.123Z'],
    }),
    expires_at: Timestamp,
  },
  { description: 'A session of the caller' },
)

export const SessionPaging = Closed(Paging)

export const EndedSessions = Type.Object(
  { ended: Type.Integer({ description: 'How many sessions ended', examples: [2] }) },
  { description: 'What ended' },
)
