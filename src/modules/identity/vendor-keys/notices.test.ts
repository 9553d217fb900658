// The mails to the administrators about what is done with keys of the vendor.
import { expect, it } from 'vitest'
import { appOfFile } from '#test/harness/app.ts'
import { mailsTo } from '#test/harness/mailbox.ts'

const app = await appOfFile()
const acme = await app.world.organization()
const boss = await app.world.user({ name: 'Boss', roles: ['customer', 'administrator'] })

it('each act is mailed to every administrator, in their language, without a secret', async () => {
  const [other, auditor, former] = await Promise.all([
    app.world.user({ roles: ['customer', 'administrator'] }),
    app.world.user({ roles: ['customer', 'auditor'] }),
    app.world.user({ roles: ['customer', 'administrator'] }),
  ])
  await app.database.query(`update users set language = 'pt-BR' where id = $1`, [other.userId])
  const body = { name: 'Warehouse \u{1F511}', permissions: ['tickets:write'], organization_ids: [acme.id] }
  const { data: key } = await boss.post('/admin/api-keys', body)
  const { data: rotated } = await boss.post(`/admin/api-keys/${key.id}/rotate`, {})
  await boss.patch(`/admin/api-keys/${key.id}`, { organization_ids: null })
  await boss.delete(`/admin/api-keys/${key.id}`)
  await app.database.query(`update users set roles = '{customer}' where id = $1`, [former.userId])
  const mails = await mailsTo(app, other.email)
  expect(mails.map(({ subject }) => subject).toSorted()).toEqual(
    ['foi alterada', 'foi criada', 'foi revogada', 'recebeu um novo segredo'].map((act) =>
      expect.stringContaining(`a chave de API Warehouse \u{1F511} ${act}`),
    ),
  )
  const texts = mails.map(({ text }) => text).join('')
  for (const part of ['tickets:read, tickets:write', 'Boss']) expect(texts).toContain(part)
  for (const secret of [key.consumer_key, key.consumer_secret, rotated.consumer_secret])
    expect(texts).not.toContain(secret)
  expect((await mailsTo(app, boss.email)).map(({ subject }) => subject)).toContainEqual(
    expect.stringContaining('was made'),
  )
  for (const who of [auditor, former]) expect(await mailsTo(app, who.email)).toEqual([])
})
it('nothing is mailed of what was refused', async () => {
  const before = (await mailsTo(app, boss.email)).length
  const body = { name: 'No', permissions: ['tickets:write'], organization_ids: [999_999] }
  expect((await boss.post('/admin/api-keys', body)).status).toBe(422)
  expect((await boss.delete('/admin/api-keys/999999')).status).toBe(404)
  expect(await mailsTo(app, boss.email)).toHaveLength(before)
})
