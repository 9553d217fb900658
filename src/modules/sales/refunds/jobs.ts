// What the worker does for refunds.
import { sendRefundJob } from './send-refund.ts'

export const refundJobs = [sendRefundJob]
