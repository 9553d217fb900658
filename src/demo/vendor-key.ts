// The demo's API key of the vendor. Its secret is not kept: rotate it to try it.
import { staffMembers } from '#modules/identity/staff/queries.ts'
import { createVendorKey } from '#modules/identity/vendor-keys/change-vendor-key.ts'
import { permissionsOf } from '#kernel/values/staff-roles.ts'
import { one } from '#kernel/data/context.ts'
import type { DemoService } from './demo-service.ts'

export async function demoVendorKey(service: DemoService, administrator: string): Promise<void> {
  const origin = service.origin()
  await service.transactions.asSystem('the demo', origin, async (ctx) => {
    const { id: userId } = await one(ctx, staffMembers.idOf(administrator))
    const caller = { ...ctx.caller, userId, permissions: permissionsOf(['administrator']) }
    const permissions = ['orders:read', 'finances:read'] as const
    await createVendorKey({ ...ctx, caller }, { name: 'Data warehouse', permissions: [...permissions] })
  })
}
