// The settings of the vendor that say for how long rows and files are kept. Jobs read them when they run, so that fewer
// days count from their next run on; what is removed does not come back with more of them.
import { Type } from 'typebox'
import type { Config } from '#config/config.ts'
import type { VariableName } from '#config/variables.ts'
import { declared } from './setting-declaration.ts'

type Bounds = { minimum: number; maximum: number }
type Words = { description: string; examples: [number] }

const period = (
  variable: VariableName,
  first: (config: Config) => number,
  { minimum, maximum }: Bounds,
  words: Words,
) =>
  declared({
    of: ['vendor'],
    needs: 'settings',
    schema: Type.Integer({ minimum, maximum, ...words }),
    variables: [variable],
    first,
  })

/** Senders repeat an event for some days, and staff look at what failed: fewer days would be too few. */
export const FEWEST_DAYS_KEPT = 30
export const MOST_DAYS_KEPT = 36_500

/** Of what is kept for ever where nothing else is said. */
const kept = (variable: VariableName, first: (config: Config) => number, words: Words) => ({
  ...period(variable, first, { minimum: 0, maximum: MOST_DAYS_KEPT }, words),
  problem: (days: number) =>
    days === 0 || days >= FEWEST_DAYS_KEPT ? null : `must be 0, or ${FEWEST_DAYS_KEPT} at least`,
})

export const RETENTION_SETTINGS = {
  events_days: period(
    'EVENTS_DAYS',
    ({ eventsDays }) => eventsDays,
    { minimum: 1, maximum: 3650 },
    {
      description: 'Days that events are kept; readers of the feed that were away for longer are told',
      examples: [90],
    },
  ),
  notices_days: period(
    'NOTICES_DAYS',
    ({ noticesDays }) => noticesDays,
    { minimum: 1, maximum: 3650 },
    { description: 'Days that entries of inboxes and the records of sent mails are kept', examples: [180] },
  ),
  webhook_delivery_days: period(
    'WEBHOOK_DELIVERY_DAYS',
    ({ webhooks }) => webhooks.deliveryDays,
    { minimum: 1, maximum: 3650 },
    { description: 'Days that the log of webhook deliveries goes back', examples: [30] },
  ),
  inbound_event_days: kept('INBOUND_EVENT_DAYS', ({ inboundEventDays }) => inboundEventDays, {
    description: 'Days that received webhook events are kept, 30 at least; 0 keeps all',
    examples: [180],
  }),
  dead_letter_days: kept('DEAD_LETTER_DAYS', ({ deadLetterDays }) => deadLetterDays, {
    description: 'Days that jobs that were given up are kept, 30 at least; 0 keeps all',
    examples: [90],
  }),
  import_rows_days: kept('IMPORT_ROWS_DAYS', ({ importRowsDays }) => importRowsDays, {
    description: 'Days that the report on each line of an import is kept after its end, 30 at least; 0 keeps all',
    examples: [90],
  }),
  privacy_export_days: period(
    'PRIVACY_EXPORT_DAYS',
    ({ exportDays }) => exportDays,
    { minimum: 1, maximum: 90 },
    {
      description:
        'Days after which the file of an export of personal data, or of an organization, is removed; of exports that ' +
        'are made from now on',
      examples: [7],
    },
  ),
  erasure_days: period(
    'ERASURE_DAYS',
    ({ erasureDays }) => erasureDays,
    { minimum: 0, maximum: 30 },
    {
      description: 'Days in which an erasure that is requested from now on can be cancelled; then it begins',
      examples: [7],
    },
  ),
  fiscal_years: period(
    'FISCAL_YEARS',
    ({ fiscalYears }) => fiscalYears,
    { minimum: 5, maximum: 30 },
    {
      description: 'Years that fiscal documents are kept after an erasure that begins from now on, 5 at least',
      examples: [5],
    },
  ),
} as const
