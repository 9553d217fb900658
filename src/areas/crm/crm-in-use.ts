// The CRM of a legal entity, and its failures as those of jobs.
import type { IoContext } from '#kernel/data/context.ts'
import { AppError } from '#kernel/http/errors.ts'
import { PermanentFailure } from '#kernel/jobs/jobs.ts'
import type { Company } from '#kernel/values/schema.ts'
import { type Crm, CrmBusy, CrmRefused } from '#ports/crm.ts'
import '#ports/ports.ts'

/** Null where the legal entity has no CRM: nothing is sent, and `backfill-crm` sends it all once there is one. */
export const crmOf = ({ ports }: Pick<IoContext, 'ports'>, company: Company): Crm | null => ports.crm[company]

/** A refusal becomes a dead letter for staff at once; while the CRM takes no calls, the job is postponed. */
export async function fromCrm<Answer>(answer: Promise<Answer>): Promise<Answer> {
  try {
    return await answer
  } catch (error) {
    if (error instanceof CrmRefused) throw new PermanentFailure(`the CRM refused: ${error.message}`)
    if (error instanceof CrmBusy) throw new AppError('SERVICE_UNAVAILABLE', { message: error.message, cause: error })
    throw error
  }
}
