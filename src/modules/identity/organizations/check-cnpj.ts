// POST /organizations/cnpj-check: the check digits, the federal registry, and whether an organization here has it.
import { first, type IoContext, type SystemContext } from '#kernel/data/context.ts'
import { normalizeCnpj, unmaskCnpj } from '#ports/cnpj.ts'
import type { RegistryAnswer } from '#ports/company-registry.ts'
import type { CnpjAnswer } from './organization.ts'
import { organizations } from './queries.ts'

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
