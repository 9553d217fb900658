// The settings of a legal entity about the deals in its CRM: where a quote stands there is how its salespeople work,
// and changes with them.
import { Type } from 'typebox'
import { Closed, COMPANIES } from '#kernel/values/schema.ts'
import { DEAL_STATUSES, type DealStatus } from './crm.ts'
import { declared, type SettingsOf } from './setting-declaration.ts'

/** Internal names of pipelines and stages. */
export const CRM_NAME = /^[A-Za-z0-9_-]{1,100}$/
const CrmName = Type.String({ pattern: CRM_NAME.source, examples: ['closedwon'] })

/** Of the pipeline that every portal of HubSpot begins with. */
const FIRST_STAGES: Readonly<Record<DealStatus, string>> = {
  sent: 'presentationscheduled',
  viewed: 'decisionmakerboughtin',
  accepted: 'contractsent',
  paid: 'closedwon',
  fulfilled: 'closedwon',
  rejected: 'closedlost',
  expired: 'closedlost',
  cancelled: 'closedlost',
}

type StagePair = { label: DealStatus; value: string }

export const stageOf = (pairs: readonly StagePair[], status: DealStatus): string =>
  pairs.findLast(({ label }) => label === status)?.value ?? FIRST_STAGES[status]

const isGlobal = (of: SettingsOf): boolean => of === 'entity_global'

export const DEAL_SETTINGS = {
  deal_pipeline: declared({
    of: COMPANIES,
    needs: 'settings',
    schema: { ...CrmName, description: 'Pipeline of its deals in the CRM', examples: ['default'] },
    variables: ['HUBSPOT_BR_PIPELINE', 'HUBSPOT_GLOBAL_PIPELINE'],
    first: ({ deals }, of) => (isGlobal(of) ? deals.entity_global : deals.entity_br).pipeline,
  }),
  deal_stages: declared({
    of: COMPANIES,
    needs: 'settings',
    schema: Type.Array(Closed({ label: Type.Enum(DEAL_STATUSES), value: CrmName }), {
      maxItems: DEAL_STATUSES.length,
      description:
        'The stages of the CRM that are not those of HubSpot’s first pipeline, by the status of the quote. Deals ' +
        'move into them when their quotes change from then on',
      examples: [[{ label: 'paid', value: 'closedwon' }]],
    }),
    problem: (pairs) =>
      new Set(pairs.map(({ label }) => label)).size < pairs.length ? 'is there more than once' : null,
    variables: ['HUBSPOT_BR_STAGES', 'HUBSPOT_GLOBAL_STAGES'],
    first: ({ deals }, of) => (isGlobal(of) ? deals.entity_global : deals.entity_br).stages,
  }),
} as const
