// Which record an id of a payment provider belongs to: the only statements on payment_references. The key is legal
// entity, provider and id (docs/decisions/0035). Imports no area, since areas below this one store references.
import type { OrganizationContext } from '#kernel/data/context.ts'
import { sql } from '#kernel/values/sql.ts'
import type { Company } from '#kernel/values/schema.ts'
import type { ProviderReference, WatchedResource } from '#ports/payments.ts'

/** The record that the reference belongs to. */
export type Subject = { resource: WatchedResource; resource_id: number }
export type OwnedSubject = Subject & { organization_id: number }

/** False if the reference is stored already, for any organization. Never deleted, so that a late payment is found. */
export async function rememberReference(
  ctx: OrganizationContext,
  { company, provider, reference }: ProviderReference,
  { resource, resource_id }: Subject,
): Promise<boolean> {
  const added = await ctx.ask(sql`
    insert into payment_references (company, provider, reference, organization_id, resource, resource_id)
    values (${company}, ${provider}, ${reference}, ${ctx.organizationId}, ${resource}, ${resource_id})
    on conflict do nothing returning reference`)
  return added.length > 0
}

/** Those of the references that the organization does not have yet, in the given order. */
export async function unknownReferences(
  ctx: OrganizationContext,
  { company, provider }: Omit<ProviderReference, 'reference'>,
  references: readonly string[],
): Promise<string[]> {
  const found = await ctx.ask<{ reference: string }>(sql`
    select given.reference from unnest(${references}::text[]) with ordinality as given (reference, place)
     where not exists (select 1 from payment_references p where p.organization_id = ${ctx.organizationId}
              and p.company = ${company} and p.provider = ${provider} and p.reference = given.reference)
     order by given.place`)
  return found.map(({ reference }) => reference)
}

export const subjectOf = ({ company, provider, reference }: ProviderReference) => sql<OwnedSubject>`
  select organization_id, resource, resource_id from payment_references
   where company = ${company} and provider = ${provider} and reference = ${reference}`

/** The record of the organization that the reference belongs to. */
export const ownSubjectOf = async (
  { ask, organizationId }: OrganizationContext,
  { company, provider, reference }: ProviderReference,
): Promise<Subject | undefined> =>
  (
    await ask<Subject>(sql`
      select resource, resource_id from payment_references
       where organization_id = ${organizationId} and company = ${company} and provider = ${provider}
         and reference = ${reference}`)
  )[0]

/** The provider of an organization's reference; the newest, should two providers have issued the same id. */
export const providerOf = (org: number, company: Company, reference: string) => sql<{ provider: string }>`
  select provider from payment_references
   where organization_id = ${org} and company = ${company} and reference = ${reference}
   order by created_at desc limit 1`

/** `status`: of our invoice, refund or dispute. `is_paid_so`: a payment through this reference is recorded. */
export type UnsettledReference = OwnedSubject & ProviderReference & { status: string | null; is_paid_so: boolean }

/**
 * References at the providers in use that are due, longest waiting first, so that none is asked about twice before
 * every other one that is due.
 */
export const unsettled = (inUse: Record<Company, string | null>, before: Date, limit: number) => sql<
  OwnedSubject & ProviderReference
>`
  select r.company, r.provider, r.reference, r.organization_id, r.resource, r.resource_id from payment_references r
   where r.check_after <= ${before}
     and r.provider = case r.company when 'entity_br' then ${inUse.entity_br}::text else ${inUse.entity_global}::text
       end
   order by r.check_after, r.company, r.reference limit ${limit}`

const RECORDS = { invoice: sql`from invoices r`, refund: sql`from refunds r`, dispute: sql`from disputes r` }

/** What became of the record of such a reference. */
export const standOf = ({
  organization_id: org,
  company,
  provider,
  reference,
  resource,
  resource_id,
}: OwnedSubject & ProviderReference) => sql<Pick<UnsettledReference, 'status' | 'is_paid_so'>>`
  select ${
    resource === 'subscription'
      ? sql`null::text`
      : sql`(select r.status ${RECORDS[resource]} where r.organization_id = ${org} and r.id = ${resource_id})`
  } as status,
         exists (select 1 from payments p where p.organization_id = ${org} and p.company = ${company}
                    and p.provider = ${provider} and p.reference = ${reference}) as is_paid_so`

/** Postpones the next check by a tenth of the reference's age, at most 23 hours. */
export const checkLater = ({ company, provider, reference }: ProviderReference, now: Date) => sql`
  update payment_references set check_after = ${now}::timestamptz + least((${now}::timestamptz - created_at) / 10,
    interval '23 hours')
   where company = ${company} and provider = ${provider} and reference = ${reference} and check_after is not null
  returning reference`

export const checkNoMore = ({ company, provider, reference }: ProviderReference) => sql`
  update payment_references set check_after = null
   where company = ${company} and provider = ${provider} and reference = ${reference} returning reference`
