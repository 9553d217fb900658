// The jobs of exports: one writes a file, one ends those that cannot be written, one removes those whose time is over.
import { dropFile } from '#modules/documents/files/receive-upload.ts'
import { jobKind } from '#kernel/data/job-kinds.ts'
import { systemJob } from '#kernel/jobs/jobs.ts'
import type { ExportSource } from './export-source.ts'
import { exports } from './queries.ts'
import { writeExportJob } from './start-export.ts'
import { completeExport, writeExport } from './write-export.ts'

const removeExpired = jobKind('exports/expire', {})
const giveUp = jobKind('exports/give-up', {})
const MINUTE_SECONDS = 60
const HOUR_SECONDS = 3600
const AT_ONCE = 500

export const exportJobs = (sources: readonly ExportSource[]) => [
  systemJob(writeExportJob, {
    before: (io, { payload }, transactions) => writeExport(io, { id: payload.export_id, sources }, transactions),
    run: (ctx, { payload }, written) => completeExport(ctx, payload.export_id, written),
  }),
  systemJob(giveUp, {
    everySeconds: MINUTE_SECONDS,
    run: async (ctx) => void (await ctx.ask(exports.giveUp(writeExportJob, ctx.now))),
  }),
  systemJob(removeExpired, {
    everySeconds: HOUR_SECONDS,
    run: async (ctx) => {
      for (const { storage_key } of await ctx.ask(exports.expire(ctx.now, AT_ONCE))) await dropFile(ctx, storage_key)
    },
  }),
]
