// Changes a setting of the vendor as an administrator does.
import { expect } from 'vitest'
import type { SettingsOf } from '#ports/setting-declaration.ts'
import type { TestApp } from '#test/harness/app.ts'

/** Null: as the environment says again. */
export async function setSettings({ world }: Pick<TestApp, 'world'>, of: SettingsOf, settings: object): Promise<void> {
  const administrator = await world.user({ roles: ['customer', 'administrator'] })
  const answer = await administrator.patch(`/admin/settings/${of}`, settings, { 'x-reason': 'A test' })
  expect(answer.status, answer.raw.body).toBe(200)
}
