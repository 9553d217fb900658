// Who may read a document by name, and the records that it may belong to.
import { isInForce } from '#kernel/values/time/clock-skew.ts'
import { first, type OrganizationContext } from '#kernel/data/context.ts'
import { sql } from '#kernel/values/sql.ts'
import { weightOf } from '#kernel/values/permissions.ts'
import { invalid, notFound } from '#kernel/values/errors.ts'
import type { UploadedDocument } from './document.ts'
import { documents } from './queries.ts'

type Audience = Pick<UploadedDocument, 'visibility' | 'reader_ids' | 'uploaded_by'>

/** Readers are collaborators who hold the scope, and whoever sets them must be able to read the document afterwards. */
export async function assertAudience(ctx: OrganizationContext, audience: Audience): Promise<void> {
  const { visibility, reader_ids, uploaded_by } = audience
  const { caller, role } = ctx
  const isPerson = (id: number) => id === caller.userId
  const mayStill = caller.staff || role === 'owner' || isPerson(uploaded_by ?? 0) || reader_ids.some(isPerson)
  if (visibility === 'readers' && !mayStill) throw invalid({ reader_ids: 'must name yourself' })
  if (reader_ids.length === 0) return
  const known = await ctx.ask(sql<{ user_id: number }>`
    select c.user_id from collaborators c
     where c.organization_id = ${ctx.organizationId} and c.user_id = any(${reader_ids}::bigint[])
       and c.weight >= ${weightOf('member')} and 'documents' = any(c.granted_scopes) and ${isInForce('c', ctx)}`)
  if (known.length < new Set(reader_ids).size) throw invalid({ reader_ids: 'must be collaborators who hold the scope' })
}

/** 404 for a record that the organization does not have, or that the caller may not see. */
export async function assertLinks(
  ctx: OrganizationContext,
  { entitlement_id, contract_id }: { entitlement_id?: number | null; contract_id?: number | null },
): Promise<void> {
  const { organizationId } = ctx
  if (entitlement_id && !(await first(ctx, documents.entitlement(organizationId, entitlement_id))))
    throw notFound('Entitlement not found')
  if (contract_id && !(await first(ctx, documents.contract(organizationId, contract_id))))
    throw notFound('Contract not found')
}
