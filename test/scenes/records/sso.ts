// An identity provider of the organization, with an account that has signed in by it.
import type { AddRecords } from '../records.ts'

export const addRecords: AddRecords = async ({ app, organization, add, records: { quotes } }) => {
  const connections = await add('sso_connections', {
    name: 'Acme login',
    issuer: `https://login-${quotes}.acme.example`,
    client_id: 'titular',
    client_secret: 'sealed',
    domains: [`login-${quotes}.example`],
  })
  await app.database.query(
    `insert into sso_identities (user_id, connection_id, issuer, subject, created_at, last_used_at)
     values ($1, $2, 'https://login.acme.example', $3, $4, $4)`,
    [organization.owner.userId, connections, String(connections), app.clock.now],
  )
  return { connections }
}
