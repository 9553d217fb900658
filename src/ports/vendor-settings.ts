// The settings of the vendor, which both legal entities share.
import { Type } from 'typebox'
import { SCOPE_NAMES, type Scope } from '#kernel/values/permissions.ts'
import { RETENTION_SETTINGS } from './retention-settings.ts'
import { SERVICE_SETTINGS } from './service-settings.ts'
import { declared } from './setting-declaration.ts'
import { TRACKER_SETTINGS } from './tracker-settings.ts'

const BOTH = ['vendor'] as const
/** Days in one list of warnings. */
export const MOST_WARNINGS = 12

const TICKET_CLASSES = ['ENV', 'PLG', 'SVC', 'EDU', 'none'] as const
export type TicketClass = (typeof TICKET_CLASSES)[number]

/** Without the scope `organization` nobody could govern people any more. */
type Hideable = Exclude<Scope, 'organization'>
export const HIDEABLE = SCOPE_NAMES.filter((scope): scope is Hideable => scope !== 'organization')

export const VENDOR_SETTINGS = {
  ticket_classes: declared({
    of: BOTH,
    needs: 'settings',
    schema: Type.Array(Type.Enum(TICKET_CLASSES), {
      minItems: 1,
      uniqueItems: true,
      description:
        'What customers open tickets about: classes of entitlements, and `none` for an invoice, an order, or nothing ' +
        'in particular',
      examples: [['ENV', 'none']],
    }),
    variables: ['TICKET_CLASSES'],
    first: ({ ticketClasses }) => ticketClasses,
  }),
  tickets_without_entitlement: declared({
    of: BOTH,
    needs: 'settings',
    schema: Type.Enum(['flag', 'refuse'], {
      description:
        'What customers can do where the entitlement is suspended, expired or cancelled: `flag`: they open tickets, ' +
        'which say so; `refuse`: they open none',
      examples: ['flag'],
    }),
    variables: ['TICKETS_WITHOUT_ENTITLEMENT'],
    first: ({ ticketsWithoutEntitlement }) => ticketsWithoutEntitlement,
  }),
  sla_warning_percent: declared({
    of: BOTH,
    needs: 'settings',
    schema: Type.Integer({
      minimum: 1,
      maximum: 100,
      description:
        'Part of a promised time after which staff are warned of the deadline; 100 for never. Counts for tickets ' +
        'that are opened, or whose priority is changed, from now on',
      examples: [75],
    }),
    variables: ['SLA_WARNING_PERCENT'],
    first: ({ slaWarningPercent }) => slaWarningPercent,
  }),
  expiry_warning_days: declared({
    of: BOTH,
    needs: 'settings',
    schema: Type.Array(Type.Integer({ minimum: 1, maximum: 365 }), {
      maxItems: MOST_WARNINGS,
      uniqueItems: true,
      description: 'How many days before something expires its members are warned; none for never',
      examples: [[30, 7, 1]],
    }),
    variables: ['EXPIRY_WARNING_DAYS'],
    first: ({ expiryWarningDays }) => expiryWarningDays,
  }),
  hidden_scopes: declared({
    of: BOTH,
    needs: 'settings',
    schema: Type.Array(Type.Enum(HIDEABLE), {
      uniqueItems: true,
      description: 'The scopes that customers do not have; an organization may have a list of its own',
      examples: [['downloads']],
    }),
    variables: ['HIDDEN_SCOPES'],
    first: ({ hiddenScopes }) => hiddenScopes,
  }),
  staff_entry: declared({
    of: BOTH,
    needs: 'settings',
    schema: Type.Enum(['open', 'reason'], {
      description:
        '`open`: staff work in every organization as their roles allow; `reason`: only after they have said why, for ' +
        'a time (`POST /admin/organizations/{id}/entries`)',
      examples: ['open'],
    }),
    variables: ['STAFF_ENTRY'],
    first: ({ staffEntry }) => staffEntry,
  }),
  reasons: declared({
    of: BOTH,
    needs: 'settings',
    schema: Type.Enum(['optional', 'required'], {
      description:
        '`required`: dangerous acts, and all acts of staff in an organization, say why (`X-Reason`, or `reason` in ' +
        'the body, or the entry of staff); `optional`: whoever wants to',
      examples: ['optional'],
    }),
    variables: ['REASONS'],
    first: ({ reasons }) => reasons,
  }),
  ...SERVICE_SETTINGS,
  ...TRACKER_SETTINGS,
  ...RETENTION_SETTINGS,
} as const
