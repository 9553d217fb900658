// The connection of an organization to its identity provider (docs/interface/identity.md, Single sign-on).
import { Type, type Static } from 'typebox'
import { SCOPE_NAMES } from '#kernel/values/permissions.ts'
import { table } from '#kernel/data/table.ts'
import { Closed, Id, Name, Nullable, Paging, Timestamp } from '#kernel/values/schema.ts'

export const MAX_CONNECTIONS = 10

const Issuer = Type.String({
  format: 'uri',
  maxLength: 255,
  description:
    'As the provider has it in its tokens: `https`, at a public address; below it is its OpenID configuration',
  examples: ['https://login.acme.example'],
})
const ClientId = Type.String({
  minLength: 1,
  maxLength: 255,
  pattern: '^[\\x20-\\x7e]+$',
  description: 'That of this service at the provider',
  examples: ['titular'],
})
const LABEL = '[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?'
const Domain = Type.String({ maxLength: 253, pattern: `^(${LABEL}\\.)+${LABEL}$`, examples: ['acme.example'] })
const Domains = Type.Array(Domain, {
  minItems: 1,
  maxItems: 20,
  uniqueItems: true,
  description: 'Of the addresses that it signs in. One counts once its TXT record is found (`POST /sites/{id}/verify`)',
  examples: [['acme.example']],
})
const MemberScopes = Type.Array(Type.Enum(SCOPE_NAMES), {
  uniqueItems: true,
  description: 'What whoever becomes a member by it may do',
  examples: [['tickets', 'downloads']],
})
const CreatesMembers = Type.Boolean({
  description: 'Whoever signs in by it for the first time becomes a member, unless they are or were one',
  examples: [true],
})
const IsRequired = Type.Boolean({
  description:
    'Members with addresses of its domains get into the organization only by it; owners and API keys do not need it',
  examples: [false],
})

const TrustsEmail = Type.Boolean({
  description:
    'Its addresses count also where it says nothing of `email_verified`, as Entra ID for accounts of a ' +
    'company. Only for a provider whose accounts are all the organization’s own; `false` never counts',
  examples: [false],
})

export const StoredConnection = Type.Object({
  id: Id,
  organization_id: Id,
  name: Name,
  issuer: Issuer,
  client_id: ClientId,
  domains: Domains,
  is_required: IsRequired,
  creates_members: CreatesMembers,
  member_scopes: MemberScopes,
  trusts_email: TrustsEmail,
  created_at: Timestamp,
  updated_at: Timestamp,
})
export type StoredConnection = Static<typeof StoredConnection>

export const ssoConnectionsTable = table('sso_connections', 'sso_connection', StoredConnection, {
  masked: ['client_secret'],
  extra: ['client_secret', 'last_used_at'],
  times: ['last_used_at'],
})

export const SsoConnection = Type.Object(
  {
    ...StoredConnection.properties,
    proven_domains: Type.Array(Type.String(), {
      description: 'Those of `domains` whose TXT record is there; only their addresses are signed in',
      examples: [['acme.example']],
    }),
    last_used_at: Nullable({ ...Timestamp, description: 'The last sign-in by it, as it is set up now' }),
  },
  { description: 'An identity provider of the organization' },
)
export type SsoConnection = Static<typeof SsoConnection>

const ClientSecret = Type.String({
  minLength: 1,
  maxLength: 1000,
  description: 'That of this service at the provider; kept encrypted, never returned',
  examples: ['kept-by-the-provider-and-us'],
})

export const NewConnection = Closed({
  name: Name,
  issuer: Issuer,
  client_id: ClientId,
  client_secret: ClientSecret,
  domains: Domains,
  creates_members: Type.Optional(CreatesMembers),
  member_scopes: Type.Optional(MemberScopes),
  trusts_email: Type.Optional(TrustsEmail),
})
export type NewConnection = Static<typeof NewConnection>

export const ConnectionChange = Closed({
  ...Type.Partial(NewConnection).properties,
  is_required: Type.Optional(IsRequired),
})
export type ConnectionChange = Static<typeof ConnectionChange>

export const ConnectionPaging = Closed(Paging)
