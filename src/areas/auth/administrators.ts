// The platform's administrators.
import type { SystemContext } from '#kernel/context.ts'
import { sql } from '#kernel/sql.ts'

/** False when somebody has that address already; then nothing changes but the role. */
export async function createAdministrator(ctx: SystemContext, email: string, passwordHash: string): Promise<boolean> {
  const made = await ctx.ask(sql`
    insert into users (email, name, login, status, roles, password_hash)
    values (${email}, 'Administrator', ${email.split('@', 1)[0]}, 'ACTIVE', '{customer,administrator}', ${passwordHash})
    on conflict (lower(email)) do nothing returning id`)
  if (made.length > 0) return true
  await ctx.ask(
    sql`update users set roles = '{customer,administrator}' where lower(email) = lower(${email}) returning id`,
  )
  return false
}
