// The history of a contract: each status with its time, author and note.
import { add } from '#kernel/data/changes.ts'
import type { OrganizationContext } from '#kernel/data/context.ts'
import { changedBy } from '#kernel/data/audit/history.ts'
import { type Contract, type ContractStatus, contractHistoryTable } from './contract.ts'

export async function remember(
  ctx: OrganizationContext,
  { id, status }: Contract,
  from: ContractStatus | null,
  note: string | null,
): Promise<void> {
  add(ctx, contractHistoryTable, {
    contract_id: id,
    from_status: from,
    to_status: status,
    note,
    ...changedBy(ctx),
  })
}
