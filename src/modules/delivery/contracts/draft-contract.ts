// POST /contracts, PATCH /contracts/{id}: staff create and change contracts.
import { businessHoursRules } from '#modules/delivery/business-hours/business-hours.ts'
import { usualCompany } from '#kernel/values/company.ts'
import { type Fields, problemsIn } from '#kernel/values/validation/problems.ts'
import { insert, update } from '#kernel/data/changes.ts'
import type { OrganizationContext } from '#kernel/data/context.ts'
import { conflict, invalid } from '#kernel/values/errors.ts'
import { ownBody } from '#http/organization-body.ts'
import { isIntegrationOnly } from '#kernel/values/integration.ts'
import type { Company } from '#kernel/values/schema.ts'
import { type Contract, type ContractChange, contractsTable, type NewContract } from './contract.ts'
import { remember } from './history.ts'
import { contracts } from './queries.ts'

export async function createContract(ctx: OrganizationContext, body: NewContract): Promise<Contract> {
  const values = ownBody(ctx, body)
  const contract = await insert(ctx, contractsTable, { ...values, ...(await entitlementAndCompanyOf(ctx, values)) })
  await remember(ctx, contract, null, null)
  return contract
}

/** After the activation only these change; new terms need a renewal. */
const ALWAYS_CHANGEABLE: readonly string[] = ['title', 'notes', 'external_id', 'metadata']

export async function changeContract(ctx: OrganizationContext, id: number, body: ContractChange): Promise<Contract> {
  const values = ownBody(ctx, body)
  const contract = await contracts.forChange(ctx, id)
  if (contract.status === 'draft') {
    assertDateOrder(
      values.start_date ?? contract.start_date,
      values.end_date === undefined ? contract.end_date : values.end_date,
    )
    return update(ctx, contractsTable, id, { ...values, ...(await entitlementAndCompanyOf(ctx, values, contract)) })
  }
  const agreed = Object.keys(values).filter((field) => !ALWAYS_CHANGEABLE.includes(field))
  if (agreed.length > 0)
    throw conflict(
      'terms_agreed',
      `Of a contract that is ${contract.status} only ${ALWAYS_CHANGEABLE.join(', ')} change, not ${agreed.join(', ')}`,
    )
  const { amended, updated } = contractsTable.events
  return update(ctx, contractsTable, id, values, isIntegrationOnly(values) ? updated : amended)
}

export const contractRules = ({
  start_date,
  end_date,
  business_hours = null,
}: Partial<Pick<Contract, 'start_date' | 'end_date' | 'business_hours'>>): Fields => ({
  ...(start_date !== undefined && problemsIn(() => assertDateOrder(start_date, end_date ?? null))),
  ...businessHoursRules({ business_hours }),
})

export function assertDateOrder(start: string, end: string | null): void {
  if (end !== null && end < start) throw invalid({ end_date: 'must not lie before start_date' })
}

type Assignment = { company?: Company | undefined; entitlement_id?: number | null | undefined }

/** The legal entity is the entitlement's, else the body's, else the header's, else that of the customer's country. */
async function entitlementAndCompanyOf(
  ctx: OrganizationContext,
  given: Assignment,
  now?: Contract,
): Promise<Partial<Contract>> {
  const id = given.entitlement_id === undefined ? (now?.entitlement_id ?? null) : given.entitlement_id
  if (id !== null) {
    const { code, company } = await contracts.entitlement(ctx, id)
    if (given.company !== undefined && given.company !== company)
      throw invalid({ company: `must be that of the entitlement, ${company}` })
    return { entitlement_id: id, entitlement_code: code, company }
  }
  const company = given.company ?? now?.company ?? ctx.company ?? usualCompany(await contracts.country(ctx))
  return { entitlement_id: null, entitlement_code: null, company }
}
