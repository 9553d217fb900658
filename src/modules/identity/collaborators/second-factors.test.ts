// Which collaborators have a second factor, and who may see that.
import { describe, expect, it } from 'vitest'
import { appOfFile } from '#test/harness/app.ts'
import type { Answer, Speaker } from '#test/harness/world.ts'
import { address, at, idOf } from '#test/scenes/collaborators.ts'
import { apiKey } from '#test/scenes/records.ts'

const app = await appOfFile()

describe('has_second_factor of a collaborator', () => {
  it('is told to owners, admins and staff, and to nobody else', async () => {
    const org = await app.world.organization()
    const [plain, begun, withApp, passkey] = [
      await org.member({ scopes: ['organization'] }),
      await org.member(),
      await org.member(),
      await org.member(),
    ]
    await org.owner.post(at(org), { email: address() })
    for (const [who, confirmed] of [
      [begun, null],
      [withApp, app.clock.now],
    ] as const)
      await app.database.query(
        `insert into totp_factors (user_id, nonce, created_at, confirmed_at) values ($1, 'n', $2, $3)`,
        [who.userId, app.clock.now, confirmed],
      )
    await app.database.query(
      `insert into passkeys (user_id, credential_id, public_key, counter, name, is_backed_up, created_at) values ($1, 'c', 'k', 0, 'Phone', false, $2)`,
      [passkey.userId, app.clock.now],
    )
    const seenBy = async (who: Speaker) =>
      Object.fromEntries(
        (await who.get(at(org))).data.map((one: Answer['data']) => [one.user_id, one.has_second_factor]),
      )
    const shown = {
      [org.owner.userId]: false,
      [plain.userId]: false,
      [begun.userId]: false,
      [withApp.userId]: true,
      [passkey.userId]: true,
      null: null,
    }
    const hidden = Object.fromEntries(Object.keys(shown).map((id) => [id, null]))
    for (const who of [org.owner, await org.staffAs('support')]) expect(await seenBy(who)).toEqual(shown)
    expect(await seenBy(plain)).toEqual(hidden)
    const key = await apiKey(app, org, { permission: 'read', scopes: ['organization'] })
    expect(await seenBy(app.world.speaker(key, org.owner))).toEqual(hidden)
    const id = await idOf(app, org, withApp)
    expect((await org.owner.get(`${at(org)}/${id}`)).data.has_second_factor).toBe(true)
    expect((await plain.get(`${at(org)}/${id}`)).data.has_second_factor).toBeNull()
  })
})
