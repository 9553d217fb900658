// `?dry_run=true`: the request runs as it would, in a transaction that is rolled back, and is answered with a preview.
import { beforeChange, operate, runChange } from '#http/change.ts'
import type { OrganizationContext } from '#kernel/data/context.ts'
import type { Preview } from '#kernel/jobs/preview.ts'
import { success } from '#http/envelope.ts'
import { approvedInput } from '#http/input.ts'
import { assertMatches } from './precondition.ts'
import { auditStaffAccess } from '#http/access.ts'
import type { Answer, AuthenticatedContext, RequestContext } from '#http/request-context.ts'

/** Another value than `true` or `false` is refused with the other bad fields. */
export const isDryRun = ({ route, request }: RequestContext): boolean =>
  route.features.dryRun === true && request.query['dry_run'] === 'true'

/** Thrown so that the transaction is rolled back. */
class DryRun extends Error {
  readonly preview: Preview
  constructor(preview: Preview) {
    super('a dry run is rolled back')
    this.preview = preview
  }
}

/** Only the visit of staff is audited, as after a read. An `Idempotency-Key` is not looked at. */
export async function answerDryRun(context: AuthenticatedContext): Promise<Answer> {
  try {
    const preview = await previewOf(context)
    const { userId = null } = context.decision?.caller ?? {}
    const { organizationId = null } = context.decision ?? {}
    return { status: 200, body: success(preview, 'Nothing was changed'), userId, organizationId }
  } finally {
    if (context.decision) await auditStaffAccess(context, context.decision)
  }
}

async function previewOf(context: AuthenticatedContext): Promise<Preview> {
  const { engine } = context
  const { prepared, input: known } = await beforeChange(context)
  try {
    return await runChange(context, async (ctx, decision, rows) => {
      const input = known ?? approvedInput(context, decision)
      await assertMatches(context, ctx, decision)
      const inside = ctx as OrganizationContext
      throw new DryRun(
        await engine.previewer(inside, async () => {
          await operate(context, inside, { decision, input, rows, prepared })
        }),
      )
    })
  } catch (error) {
    if (error instanceof DryRun) return error.preview
    throw error
  }
}
