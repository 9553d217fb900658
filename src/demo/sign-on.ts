// The demo's identity provider, whose domain is not proven, so that nobody is sent there; and its named role.
import { createNamedRole } from '#modules/identity/collaborators/change-named-role.ts'
import { createConnection, sealSecret } from '#modules/identity/sso/change-connection.ts'
import type { OrganizationContext } from '#kernel/data/context.ts'

export async function demoSignOn(ctx: OrganizationContext, secretKey: string): Promise<void> {
  const secret = await sealSecret(secretKey, 'of-the-demo')
  const provider = { issuer: 'https://login.padaria.example', client_id: 'titular', client_secret: 'of-the-demo' }
  await createConnection(
    ctx,
    { name: 'Padaria login', ...provider, domains: ['padaria.example'], member_scopes: ['tickets', 'downloads'] },
    secret,
  )
}

/** A bundle of scopes that members can be given. */
export const demoRole = (ctx: OrganizationContext) =>
  createNamedRole(ctx, { name: 'Accounting', description: 'Pays and keeps the books', scopes: ['finances', 'orders'] })
