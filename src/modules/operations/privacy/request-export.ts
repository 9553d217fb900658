// Requests of exports: the row, and the job that makes the file.
import { record } from '#modules/identity/auth/account-log.ts'
import { users } from '#modules/identity/auth/users.ts'
import { insert } from '#kernel/data/changes.ts'
import { first, type OrganizationContext, type SystemContext } from '#kernel/data/context.ts'
import { conflict, notFound } from '#kernel/values/errors.ts'
import { enqueue } from '#kernel/jobs/jobs.ts'
import {
  makeOrganizationExport,
  makePersonExport,
  type OrganizationExport,
  organizationExportsTable,
  type PersonExport,
} from './export.ts'
import { organizationExports, personExports } from './queries.ts'
import { assertNotErased } from './request-erasure.ts'

const UNDER_WAY = 'An export is being made already'

export async function requestPersonExport(ctx: SystemContext, userId: number): Promise<PersonExport> {
  if (!(await first(ctx, users.exists(userId)))) throw notFound()
  await assertNotErased(ctx, userId)
  const added = await first(ctx, personExports.add(userId, ctx.caller.userId ?? userId, ctx.now))
  if (!added) throw conflict('already_in_progress', UNDER_WAY)
  await record(ctx, 'export_requested', userId, { export_id: added.id })
  await enqueue(ctx, makePersonExport, { export_id: added.id })
  return added
}

export async function requestOrganizationExport(ctx: OrganizationContext): Promise<OrganizationExport> {
  if (await first(ctx, organizationExports.isQueued(ctx.organizationId)))
    throw conflict('already_in_progress', UNDER_WAY)
  const added = await insert(ctx, organizationExportsTable, { requested_by: ctx.caller.userId })
  await enqueue(ctx, makeOrganizationExport, { organization_id: ctx.organizationId, export_id: added.id })
  return added
}
