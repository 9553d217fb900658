// What is seen of the settings about mails to the vendor, links, license files and quotas.
import { mailsTo } from '#test/harness/mailbox.ts'
import type { TestApp } from '#test/harness/app.ts'
import type { Organization } from '#test/harness/world.ts'
import { upload } from '#test/scenes/documents.ts'
import { entitlement, license } from '#test/scenes/licenses.ts'

type ServiceEffect = { of: 'vendor'; seen: () => Promise<unknown>; each: [value: unknown, seen: unknown][] }

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
const EDGE = 'Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/140.0 Safari/537.36 Edg/140.0'
const DESK = 'desk@vendor.example'

export function serviceEffects(
  app: TestApp,
  acme: Organization,
): Record<
  | 'support_email'
  | 'new_device_mails'
  | 'license_file_days'
  | 'staff_entry_minutes'
  | 'download_link_minutes'
  | 'files_quota_bytes'
  | 'files_quota_count',
  ServiceEffect
> {
  const minutesTo = (to: string): number => Math.round((Date.parse(to) - app.clock.now.getTime()) / 60_000)
  let people = 0
  const enter = (more: object) =>
    acme.staff.post(`/admin/organizations/${acme.id}/entries`, { reason: 'A look', ...more })
  const uploads = async (content: string) => {
    const other = await app.world.organization()
    const sent = (name: string) => upload(other.owner, { fileName: name, content })
    return [(await sent('a.txt')).status, (await sent('b.txt')).status]
  }
  return {
    support_email: {
      of: 'vendor',
      seen: async () => {
        const before = (await mailsTo(app, DESK)).length
        const { id: entitlement_id } = await entitlement(acme, { class: 'ENV' })
        const member = await acme.member({ scopes: ['tickets'] })
        await member.post('/tickets', { title: 'Down', entitlement_id })
        await app.service.worker.drain()
        return (await mailsTo(app, DESK)).length - before
      },
      each: [
        [DESK, 1],
        ['other@vendor.example', 0],
        ['', 0],
      ],
    },
    new_device_mails: {
      of: 'vendor',
      seen: async () => {
        const account = { email: `device${people++}@example.com`, password: 'vento-Lilás 7' }
        await app.world.anonymous.post('/auth/register', { ...account, name: 'Ana' })
        await app.database.query(`update users set status = 'ACTIVE', language = 'en' where email = $1`, [
          account.email,
        ])
        for (const agent of [FIREFOX, EDGE])
          await app.world.anonymous.post('/auth/session', account, { 'user-agent': agent })
        await app.service.worker.drain()
        const mails = await mailsTo(app, account.email)
        return mails.some(({ subject }) => subject.startsWith('New sign-in'))
      },
      each: [
        ['none', false],
        ['not_sso', true],
        ['all', true],
      ],
    },
    license_file_days: {
      of: 'vendor',
      seen: async () => {
        const { id } = await license(acme)
        return minutesTo((await acme.owner.get(`/licenses/${id}/file`)).data.expires_at) / 1440
      },
      each: [
        [3, 3],
        [365, 365],
      ],
    },
    staff_entry_minutes: {
      of: 'vendor',
      seen: async () => {
        return [minutesTo((await enter({})).data.ends_at), (await enter({ minutes: 45 })).status]
      },
      each: [
        [30, [30, 422]],
        [90, [90, 201]],
      ],
    },
    download_link_minutes: {
      of: 'vendor',
      seen: async () => {
        const user = await app.world.user()
        const { id } = (await user.post('/privacy/exports', {})).data
        await app.service.worker.drain()
        return minutesTo((await user.post(`/privacy/exports/${id}/link`, {})).data.expires_at)
      },
      each: [
        [5, 5],
        [120, 120],
      ],
    },
    files_quota_bytes: {
      of: 'vendor',
      seen: () => uploads('0123456789'),
      each: [
        [15, [201, 409]],
        [20, [201, 201]],
      ],
    },
    files_quota_count: {
      of: 'vendor',
      seen: () => uploads('x'),
      each: [
        [1, [201, 409]],
        [2, [201, 201]],
      ],
    },
  }
}
