// The CRM of each legal entity, and the settings of HubSpot.
import { DEAL_STATUSES, type DealStatus } from '#ports/crm.ts'
import { CRM_NAME } from '#ports/deal-settings.ts'
import { needed, WrongSettings } from './problems.ts'
import { list, oneOf, secureUrl } from './readers.ts'
import type { ValuesOf, Variables } from './variable.ts'

/** HubSpot's internal names of pipelines, stages and properties. */
function internalName(value: string): string {
  if (!CRM_NAME.test(value)) throw new Error('must be an internal name such as closedwon')
  return value
}

/** `sent=presentationscheduled,paid=closedwon`: the stages that differ from the default. */
function dealStages(value: string): { label: DealStatus; value: string }[] {
  return list(value).map((entry) => {
    const [given, stage = ''] = entry.split('=')
    const status = DEAL_STATUSES.find((one) => one === given)
    if (!status) throw new Error(`must list stages such as sent=closedwon, of ${DEAL_STATUSES.join(', ')}`)
    return { label: status, value: internalName(stage) }
  })
}

function credential(value: string): string {
  if (!/^[\x21-\x7e]{8,500}$/.test(value)) throw new Error('must have at least 8 characters and no spaces')
  return value
}

function credentials(value: string): string[] {
  return list(value).map(credential)
}

const providerOf = (label: string) =>
  ({
    meaning: `${label}: its CRM, \`hubspot\` or \`none\``,
    fallback: 'none',
    sandboxFallback: 'sandbox',
    read: oneOf('hubspot', 'none', 'sandbox'),
  }) as const
const tokenOf = (label: string) =>
  ({ meaning: `${label}: access token of an app in its HubSpot portal`, read: credential, secret: true }) as const
const webhookSecretsOf = (label: string) =>
  ({
    meaning: `${label}: client secrets of the app whose webhooks come to \`/webhooks/crm\`, by comma; any signs`,
    read: credentials,
    secret: true,
  }) as const
const pipelineOf = (label: string) =>
  ({ meaning: `${label}: pipeline of its deals`, fallback: 'default', read: internalName }) as const
const stagesOf = (label: string) =>
  ({
    meaning:
      `${label}: stages of deals that are not those of HubSpot’s first pipeline, by comma: ` +
      `\`sent=appointmentscheduled\`, \`paid=closedwon\`, …`,
    fallback: '',
    read: dealStages,
  }) as const

export const CRM_BR = {
  provider: { name: 'ENTITY_BR_CRM', ...providerOf('Brazil') },
  token: { name: 'HUBSPOT_BR_TOKEN', ...tokenOf('Brazil') },
  webhookSecrets: { name: 'HUBSPOT_BR_WEBHOOK_SECRETS', ...webhookSecretsOf('Brazil') },
  pipeline: { name: 'HUBSPOT_BR_PIPELINE', ...pipelineOf('Brazil') },
  stages: { name: 'HUBSPOT_BR_STAGES', ...stagesOf('Brazil') },
} as const satisfies Variables

export const CRM_GLOBAL = {
  provider: { name: 'ENTITY_GLOBAL_CRM', ...providerOf('Global') },
  token: { name: 'HUBSPOT_GLOBAL_TOKEN', ...tokenOf('Global') },
  webhookSecrets: { name: 'HUBSPOT_GLOBAL_WEBHOOK_SECRETS', ...webhookSecretsOf('Global') },
  pipeline: { name: 'HUBSPOT_GLOBAL_PIPELINE', ...pipelineOf('Global') },
  stages: { name: 'HUBSPOT_GLOBAL_STAGES', ...stagesOf('Global') },
} as const satisfies Variables

/** For both portals. */
export const HUBSPOT = {
  cnpjProperty: {
    name: 'HUBSPOT_CNPJ_PROPERTY',
    meaning:
      'The property of companies with the CNPJ, by which those that are there already are found; its values are unique',
    fallback: 'cnpj',
    read: internalName,
  },
  url: {
    name: 'HUBSPOT_URL',
    meaning: 'Where HubSpot is asked; another address is for tests only (https outside the loopback)',
    fallback: 'https://api.hubapi.com',
    read: secureUrl,
  },
} as const satisfies Variables

export type CrmChoice =
  | {
      provider: 'hubspot'
      token: string
      webhookSecrets: string[]
      cnpjProperty: string
      url: string
    }
  | { provider: 'sandbox'; cnpjProperty: string }
  | { provider: 'none' }

type Portal = typeof CRM_BR | typeof CRM_GLOBAL

export function crmChoiceOf(
  variables: Portal,
  values: ValuesOf<Portal>,
  { cnpjProperty, url, sandbox }: ValuesOf<typeof HUBSPOT> & { sandbox: boolean },
): CrmChoice {
  const { provider } = values
  if (provider === 'none') return { provider }
  if (provider === 'sandbox') {
    if (!sandbox) throw new WrongSettings(`${variables.provider.name} cannot be "sandbox" while SANDBOX is off`)
    return { provider, cnpjProperty }
  }
  const properties = ['token', 'webhookSecrets'] as const
  const { token, webhookSecrets } = needed(variables, values, {
    properties,
    because: `${variables.provider.name} is hubspot`,
  })
  return { provider, token, webhookSecrets, cnpjProperty, url }
}
