// What other systems keep with a record of ours: their own id of it, and a few texts (docs/interface/general.md).
import { Type, type Static } from 'typebox'
import { Closed, Id, Name, Nullable } from './schema.ts'

const ExternalId = { ...Name, examples: ['ERP-10042'] }

const MOST_KEYS = 50
const LONGEST_KEY = 40
const LONGEST_VALUE = 500
const RecordMetadata = Type.Unsafe<Record<string, string>>({
  type: 'object',
  maxProperties: MOST_KEYS,
  propertyNames: { type: 'string', minLength: 1, maxLength: LONGEST_KEY },
  additionalProperties: { type: 'string', maxLength: LONGEST_VALUE },
  description:
    `Texts of other systems, stored and returned: at most ${MOST_KEYS}, of ${LONGEST_VALUE} characters ` +
    `each, under keys of ${LONGEST_KEY}. A change replaces all of them`,
})

/** Of a record that has a `metadata` of its own (entitlements, environments, services). */
export const externalId = {
  external_id: Nullable({
    ...ExternalId,
    description: 'Its id in another system, such as an ERP; unique among the organization’s records of the kind',
  }),
}
export const integration = { ...externalId, metadata: RecordMetadata }

/** The same in bodies. */
export const givenExternalId = { external_id: Type.Optional(externalId.external_id) }
export const givenIntegration = { ...givenExternalId, metadata: Type.Optional(RecordMetadata) }

/** The body of a PATCH of a record of which nothing else changes, in any of its states. */
export const IntegrationChange = Closed({ organization_id: Type.Optional(Id), ...givenIntegration })
export type Integration = Omit<Static<typeof IntegrationChange>, 'organization_id'>
export const INTEGRATION_EXAMPLE = { external_id: 'ERP-10042', metadata: { cost_center: '4711' } }

/** Of a list. */
export const externalIdFilter = {
  external_id: Type.Optional({ ...ExternalId, description: 'The record that has this `external_id`' }),
}

/** The part of a body that never depends on the state of the record. */
export const integrationOf = ({ external_id, metadata }: Integration): Integration => ({
  ...(external_id !== undefined && { external_id }),
  ...(metadata !== undefined && { metadata }),
})

/** Whether a body changes nothing else, so that the state of the record does not matter. */
export function isIntegrationOnly(values: object): boolean {
  const fields = Object.keys(values)
  return fields.length > 0 && fields.every((field) => field === 'external_id' || field === 'metadata')
}
