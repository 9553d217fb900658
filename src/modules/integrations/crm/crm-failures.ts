// Failures of the CRM as those of jobs.
import { AppError } from '#kernel/values/errors.ts'
import { PermanentFailure } from '#kernel/jobs/jobs.ts'
import { CrmBusy, CrmRefused } from '#ports/crm.ts'

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
