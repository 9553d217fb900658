// The user, tokens and the bodies of sign-in (spec 2.2–2.4; docs/interface/identity.md, Authentication).
import { GivenConsents } from './given-consents.ts'
import { Type, type Static } from 'typebox'
import { ROLE_NAMES, SCOPE_NAMES, capabilityOf } from '#kernel/values/permissions.ts'
import { Closed, COMPANIES, Email, HttpUrl, Id, Line, Name, Nullable, Timestamp } from '#kernel/values/schema.ts'
import { LANGUAGES } from '#texts/language.ts'

export const USER_STATUSES = ['ACTIVE', 'PENDING'] as const
export const UserStatus = Type.Enum(USER_STATUSES, {
  description: 'PENDING until the e-mail address is verified',
  examples: ['ACTIVE'],
})

const Roles = Type.Array(Type.String(), {
  description: '`customer`, and for the vendor’s staff their roles, such as `support`',
  examples: [['customer']],
})

const Membership = Type.Object(
  {
    id: Id,
    name: Name,
    role: Type.Enum(ROLE_NAMES, { examples: ['owner'] }),
    scopes: Type.Array(Type.Enum(SCOPE_NAMES), { examples: [['finances', 'quotes']] }),
    capabilities: Type.Array(Type.String(), {
      description: 'The names of the scopes on a host platform that imports them',
      examples: [SCOPE_NAMES.slice(0, 1).map(capabilityOf)],
    }),
    company: Type.Enum(COMPANIES, {
      description: 'The legal entity of the vendor that bills it where no record names another, by its country',
      examples: ['entity_br'],
    }),
  },
  { description: 'An organization in which the user is an active collaborator' },
)

export const User = Type.Object(
  {
    id: Id,
    email: Email,
    name: Name,
    login: Type.String({ description: 'Unique, from the e-mail’s local part', examples: ['ana'] }),
    avatar: Nullable(HttpUrl),
    phone: Nullable(Line),
    status: UserStatus,
    active_team_id: Nullable(Id),
    roles: Roles,
    permissions: Type.Array(Type.String(), {
      description:
        'What the roles of staff allow: `orders:read` is for GET, `orders:write` for all else. None for customers',
      examples: [['orders:read', 'orders:write']],
    }),
    provider: Type.String({ examples: ['password'] }),
    language: Type.Enum(LANGUAGES, { examples: ['en'] }),
    registered: Timestamp,
    organizations: Type.Array(Membership),
  },
  { description: 'A person who signs in' },
)
export type User = Static<typeof User>

export const Tokens = Type.Object(
  {
    access_token: Type.String({ description: 'A JWT (RS256), for `Authorization: Bearer`', examples: ['eyJhbGciOi…'] }),
    refresh_token: Type.String({
      description: 'Can be used once, within 7 days',
      examples: ['h5nBqU5sX0m2kqPzXyq3n6VwTz1sJ8cQm4d7e9f0a1b'],
    }),
    token_type: Type.Unsafe<'Bearer'>({ type: 'string', enum: ['Bearer'], examples: ['Bearer'] }),
    expires_in: Type.Integer({ description: 'Lifetime of the access token in seconds', examples: [86_400] }),
  },
  { description: 'The tokens of a new session' },
)
export type Tokens = Static<typeof Tokens>

const ResetKeyValue = Type.String({
  description: 'For POST /auth/reset-password, with the same address; can be used once, within 60 minutes',
  examples: ['5sX0m2kqPzXyq3n6VwTz1sJ8cQm4d7e9f0a1bh5nBqU'],
})

export const VerifiedAccount = Type.Object(
  {
    ...Tokens.properties,
    password_required: Type.Boolean({
      description:
        'The account has no password: none was ever set, or the one of the registration ended because the ' +
        'request sent neither it nor the credentials of a session',
      examples: [false],
    }),
    reset_key: Nullable(ResetKeyValue),
  },
  { description: 'The tokens of a new session, and whether a password has to be set' },
)
export type VerifiedAccount = Static<typeof VerifiedAccount>

export const UndoneChange = Type.Object(
  {
    email: Email,
    password_required: Type.Boolean({ description: 'Always true: the password has ended', examples: [true] }),
    reset_key: ResetKeyValue,
  },
  { description: 'The restored address of the account' },
)
export type UndoneChange = Static<typeof UndoneChange>

export const BrowserSession = Type.Object(
  {
    nonce: Type.String({ description: 'For the header X-Service-Nonce', examples: ['pLx0Q4…'] }),
    expires_at: Timestamp,
    user: User,
  },
  { description: 'A browser session; its cookie is in the headers' },
)
export type BrowserSession = Static<typeof BrowserSession>

// A longer text cannot be a password, so it is refused without hashing it.
export const Password = Type.String({ minLength: 1, maxLength: 1024, examples: ['vento-lilas-7'] })
const NewPassword = Type.String({
  maxLength: 1024,
  description: '8 to 128 characters; the most common passwords are refused',
  examples: ['vento-lilas-7'],
})
/** Any text, because an invalid token gets the same answer as an unknown one. */
const MailedToken = Type.String({
  minLength: 1,
  maxLength: 255,
  examples: ['5sX0m2kqPzXyq3n6VwTz1sJ8cQm4d7e9f0a1bh5nBqU'],
})

export const Login = Closed({ email: Email, password: Password })
export type Login = Static<typeof Login>
const consents = Type.Optional(GivenConsents)
export const Register = Closed({ email: Email, password: NewPassword, name: Name, consents })
export type Register = Static<typeof Register>
export const RegisterEmail = Closed({ email: Email, consents })
export type RegisterEmail = Static<typeof RegisterEmail>
export const OnlyEmail = Closed({ email: Email })
export const Refresh = Closed({ refresh_token: Type.String({ minLength: 1, maxLength: 255 }) })
export const CheckedUser = Type.Object({ exists: Type.Boolean(), status: Nullable(UserStatus) })
export const VerifyToken = Closed({ email: Email, token: MailedToken })
export type VerifyToken = Static<typeof VerifyToken>
export const VerifyAccount = Closed({
  ...VerifyToken.properties,
  password: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 1024,
      description: 'The password of the registration; it keeps the password and the existing sessions',
    }),
  ),
})
export type VerifyAccount = Static<typeof VerifyAccount>
export const ResetKey = Closed({ email: Email, key: MailedToken })
export const ResetPassword = Closed({ email: Email, key: MailedToken, password: NewPassword })
export type ResetPassword = Static<typeof ResetPassword>

export const ProfileChange = Closed({
  name: Type.Optional(Name),
  email: Type.Optional(Email),
  password: Type.Optional(NewPassword),
  current_password: Type.Optional(Password),
  avatar: Type.Optional(Nullable(HttpUrl)),
  phone: Type.Optional(Nullable(Line)),
  provider: Type.Optional(Type.String({ minLength: 1, maxLength: 255 })),
  active_team_id: Type.Optional(Nullable(Id)),
  language: Type.Optional(Type.Enum(LANGUAGES)),
})
export type ProfileChange = Static<typeof ProfileChange>
