// Brings an organization and its company in the CRM together: what changed here is written there, what changed there is
// offered to staff (docs/decisions/0044). Reads, compares, writes: a repeated job finds nothing left to do.
import { isBrazil } from '#kernel/values/company.ts'
import { organizations } from '#modules/identity/organizations/queries.ts'
import { one, first, type IoContext, type OrganizationContext } from '#kernel/data/context.ts'
import { organizationJob, PermanentFailure } from '#kernel/jobs/jobs.ts'
import type { Company } from '#kernel/values/schema.ts'
import type { CompanyValues, Crm, CrmCompany } from '#ports/crm.ts'
import { type AgreedValues, compare, settled } from './compare.ts'
import { fromCrm } from './crm-failures.ts'
import { offerChanges, withdrawOffers } from './offer-changes.ts'
import { type At, crm, type SyncedOrganization } from './queries.ts'
import { rememberCrmCompany } from './remember-crm-company.ts'
import { syncCompany } from './sync-jobs.ts'

type Outcome =
  | { kind: 'nothing' }
  /** The CRM has no company of it, and is to have none. */
  | { kind: 'absent' }
  | { kind: 'synced'; provider: string; id: string; there: CompanyValues; agreed: AgreedValues }

export const syncCompanyJob = organizationJob(syncCompany, {
  before: (io, { payload }) => exchange(io, payload.company, payload.creates),
  run: (ctx, { payload: { company } }, outcome) => remember(ctx, company, outcome),
})

async function exchange(io: IoContext, company: Company, creates: boolean): Promise<Outcome> {
  const port = io.ports.crm[company]
  if (!port) return { kind: 'nothing' }
  const organizationId = io.organizationId ?? 0
  const [of] = await io.read(crm.organization(organizationId, { company, provider: port.provider }))
  if (!of || of.deleted_at !== null) return { kind: 'absent' }
  if (!isCustomerOf(of, company)) return { kind: 'absent' }
  const found = await fromCrm(port.findCompany({ organizationId, cnpj: of.cnpj }))
  if (found) await assertOwn(io, found)
  if (!found && of.crm_id !== null && !creates) return { kind: 'absent' }
  return fromCrm(write(port, organizationId, { of, found }))
}

/** Of the legal entity of its country, or of one that has sent it a quote, or where it is known already. */
const isCustomerOf = ({ country, has_quotes, crm_id }: SyncedOrganization, company: Company): boolean =>
  has_quotes || crm_id !== null || isBrazil(country ?? '') === (company === 'entity_br')

/** A company of another organization is taken over only from a deleted one. */
async function assertOwn(io: IoContext, { id, organizationId: owner }: CrmCompany): Promise<void> {
  if (owner === null || owner === io.organizationId) return
  const [living] = await io.read(organizations.isLiving(owner))
  if (living)
    throw new PermanentFailure(`company ${id} of the CRM has this CNPJ and is the company of organization ${owner}`)
}

type Sides = { of: SyncedOrganization; found: CrmCompany | null }

async function write(port: Crm, organizationId: number, { of, found }: Sides): Promise<Outcome> {
  const compared = compare(of, found?.values ?? NO_VALUES, of.agreed)
  const written = compared.filter(({ verdict }) => verdict === 'write')
  const isOurs = found?.organizationId === organizationId
  const values = Object.fromEntries(written.map(({ field, here }) => [field, here]))
  const saved =
    found && isOurs && written.length === 0
      ? found
      : await port.saveCompany({ id: found?.id ?? null, organizationId, values })
  // What was not written is as it was found, whatever part of the company the answer shows.
  const there = { ...(found?.values ?? NO_VALUES), ...picked(saved.values, values) }
  return { kind: 'synced', provider: port.provider, id: saved.id, there, agreed: settled(compared, there) }
}

const NO_VALUES: CompanyValues = {
  name: null,
  cnpj: null,
  phone: null,
  website: null,
  city: null,
  state: null,
  country: null,
}

const picked = (values: CompanyValues, of: object): Partial<CompanyValues> =>
  Object.fromEntries(Object.entries(values).filter(([field]) => field in of))

async function remember(ctx: OrganizationContext, company: Company, outcome: Outcome): Promise<void> {
  if (outcome.kind === 'nothing') return
  const { organizationId, now } = ctx
  const before = await first(ctx, organizations.rowById(organizationId))
  // Deleted: its fields stay for a restoration, and nothing of it is offered any more.
  const isDeleted = !before || before.deleted_at !== null
  if (isDeleted || outcome.kind === 'absent') {
    await withdrawOffers(ctx, company)
    if (isDeleted) return
    await ctx.ask(crm.companyRemoved(organizationId, company, now))
    return rememberCrmCompany(ctx, company, null)
  }
  const { provider, id, there, agreed } = outcome
  const at: At = { company, provider }
  await ctx.ask(crm.rememberCompany(organizationId, at, { crmId: id, agreed, now }))
  await rememberCrmCompany(ctx, company, id)
  // Compared once more: staff may have decided, or the organization changed, during the request to the CRM.
  const of = await one(ctx, crm.organization(organizationId, at))
  await offerChanges(ctx, company, { of, compared: compare(of, there, of.agreed) })
}
