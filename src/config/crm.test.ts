// The settings of the CRM: what is required, and what is refused.
import { describe, expect, it } from 'vitest'
import { stageOf } from '#ports/deal-settings.ts'
import { readConfig } from './config.ts'

const PORTAL = {
  ENTITY_BR_CRM: 'hubspot',
  HUBSPOT_BR_TOKEN: 'pat-na1-q8Zr0vV1',
  HUBSPOT_BR_WEBHOOK_SECRETS: 'q8Zr0vV1',
}

describe('a CRM', () => {
  it('is the sandbox’s where there is one, and another one needs its token and its secrets', () => {
    const sandbox = { provider: 'sandbox', cnpjProperty: 'cnpj' }
    expect(readConfig({ ENTITY_GLOBAL_CRM: 'none' }).crm).toMatchObject({
      entity_br: sandbox,
      entity_global: { provider: 'none' },
    })
    expect(() => readConfig({ ENTITY_BR_CRM: 'hubspot' })).toThrow(
      'HUBSPOT_BR_TOKEN is missing (ENTITY_BR_CRM is hubspot)\nHUBSPOT_BR_WEBHOOK_SECRETS is missing (ENTITY_BR_CRM is hubspot)',
    )
  })
  it('has the stages that are given, and the defaults for the rest', () => {
    const { deals } = readConfig({ ...PORTAL, HUBSPOT_BR_STAGES: 'sent=1234, paid=won-2' })
    const { pipeline, stages } = deals.entity_br
    expect(pipeline).toBe('default')
    const found = (['sent', 'viewed', 'paid', 'rejected'] as const).map((status) => stageOf(stages, status))
    expect(found).toEqual(['1234', 'decisionmakerboughtin', 'won-2', 'closedlost'])
    expect(deals.entity_global.stages).toEqual([])
  })
  it.each([
    ['HUBSPOT_BR_STAGES', 'draft=1'],
    ['HUBSPOT_BR_STAGES', 'sent='],
    ['HUBSPOT_BR_STAGES', 'sent'],
    ['HUBSPOT_BR_PIPELINE', 'two words'],
    ['HUBSPOT_BR_TOKEN', 'with space in it'],
    ['HUBSPOT_BR_WEBHOOK_SECRETS', 'short'],
    ['HUBSPOT_CNPJ_PROPERTY', 'a,b'],
    ['HUBSPOT_URL', 'http://hubspot.example'],
  ])('is refused with %s=%s', (name, value) => {
    expect(() => readConfig({ ...PORTAL, [name]: value })).toThrow(name)
  })
})
