// POST /organizations/cnpj-check: the check digits, the federal registry, and whether an organization here has it.
import { type Static, Type } from 'typebox'
import { first, type IoContext, type SystemContext } from '#kernel/data/context.ts'
import { Closed, Nullable } from '#kernel/values/schema.ts'
import { normalizeCnpj, unmaskCnpj } from '#ports/cnpj.ts'
import type { RegistryAnswer } from '#ports/company-registry.ts'
import { organizations } from './queries.ts'

export const CnpjQuestion = Closed({
  cnpj: Type.String({ minLength: 1, maxLength: 32, examples: ['11.222.333/0001-81'] }),
})
const CNPJ_STATUSES = ['active', 'inactive', 'not_found', 'unknown', 'invalid'] as const
export const CnpjAnswer = Type.Object({
  cnpj: Type.String({ description: 'As stored, without punctuation', examples: ['11222333000181'] }),
  valid: Type.Boolean({ description: 'Whether the check digits are right' }),
  exists: Type.Boolean({ description: 'Whether an organization of this service has it' }),
  organization_id: Nullable(Type.Integer({ description: 'Only if the caller belongs to that organization' })),
  legal_name: Nullable(Type.String({ description: 'As in the federal registry' })),
  status: Type.Enum(CNPJ_STATUSES, {
    description:
      'In the federal registry. `not_found` does not prove that it does not exist; `unknown`: the ' +
      'registry was not asked or gave no answer; `invalid`: the check digits are wrong',
    examples: ['active'],
  }),
})
export type CnpjAnswer = Static<typeof CnpjAnswer>

/** Null when the check digits are wrong: the registry is not asked. */
export async function askRegistry({ ports }: IoContext, given: string): Promise<RegistryAnswer | null> {
  const cnpj = normalizeCnpj(given)
  return cnpj === null ? null : ports.companyRegistry.find(cnpj)
}

export async function checkCnpj(
  ctx: SystemContext,
  given: string,
  registry: RegistryAnswer | null,
): Promise<CnpjAnswer> {
  const cnpj = normalizeCnpj(given)
  if (cnpj === null || registry === null)
    return {
      cnpj: unmaskCnpj(given) ?? given,
      valid: false,
      exists: false,
      organization_id: null,
      legal_name: null,
      status: 'invalid',
    }
  const holder = await first(ctx, organizations.withCnpj(cnpj, ctx.caller.userId, ctx.now))
  return {
    cnpj,
    valid: true,
    exists: holder !== undefined,
    organization_id: holder?.organization_id ?? null,
    legal_name: registry.outcome === 'found' ? registry.legalName : null,
    status: statusOf(registry),
  }
}

function statusOf(registry: RegistryAnswer): CnpjAnswer['status'] {
  if (registry.outcome === 'found') return registry.status
  return registry.outcome === 'not_found' ? 'not_found' : 'unknown'
}
