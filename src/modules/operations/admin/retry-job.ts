// POST /admin/jobs/{id}/retry: the job is due at once, with all its attempts before it.
import { first, type SystemContext } from '#kernel/data/context.ts'
import { notFound } from '#kernel/values/errors.ts'
import type { UnfinishedJob } from './administration.ts'
import { administration } from './queries.ts'

export async function retryJob(ctx: SystemContext, id: number): Promise<UnfinishedJob> {
  const job = await first(ctx, administration.retry(id, ctx.now))
  if (!job) throw notFound()
  ctx.onEnqueued()
  return job
}
