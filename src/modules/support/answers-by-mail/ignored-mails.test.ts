// Which mails to the tickets are ignored, how far the body of a mail is read, and who may read the mail as it came.
import { describe, expect, it } from 'vitest'
import { appOfFile } from '#test/harness/app.ts'
import { answerScene } from '#test/scenes/answers.ts'
import { vendorKey } from '#test/scenes/vendor-keys.ts'

const app = await appOfFile()
const scene = await answerScene(app)
const { acme, agent, asked, bodies, expectRefused } = scene

describe('a mail is ignored', () => {
  it.each([
    ['an automatic answer', ['Auto-Submitted: auto-replied'], 'automatic'],
    ['one of a list', ['List-Id: <all.acme.example>'], 'automatic'],
    ['a returned one', ['Return-Path: <>'], 'automatic'],
    ['one in bulk', ['Precedence: bulk'], 'automatic'],
  ])('that is %s', async (_what, headers, as) => {
    const { id, to } = await asked()
    await scene.answer({ from: agent.email, to, headers })
    expect(await scene.newest()).toMatchObject({ state: 'ignored', type: `mail.${as}` })
    expect(await bodies(id)).toEqual(['We look'])
  })
  it('that is the copy of an answer by a list, also where it comes first', async () => {
    const { id, to } = await asked()
    const answer = { from: agent.email, to, messageId: '<both@acme.example>' }
    await scene.answer({ ...answer, headers: ['List-Id: <all.acme.example>'] })
    await scene.answer(answer)
    expect(await bodies(id)).toEqual(['We look', 'It is still slow'])
  })
  it('that we have sent ourselves', async () => {
    const { id, to } = await asked()
    const host = new URL(app.service.ports.settings.publicUrl).hostname
    await scene.answer({ from: agent.email, to, messageId: `<job-1-2@${host}>` })
    expect(await scene.newest()).toMatchObject({ state: 'ignored', type: 'mail.own' })
    expect(await bodies(id)).toEqual(['We look'])
  })
  it('to no address of ours, or to a forged one: of another ticket, account or organization, or guessed', async () => {
    const { id, to } = await asked()
    const [, org = '', ticket = '', user = '', mac = ''] = /\+(\w+)-(\w+)-(\w+)-(\w+)@/.exec(to) ?? []
    const another = (Number.parseInt(ticket, 36) + 1).toString(36)
    for (const token of [
      `${org}-${another}-${user}-${mac}`,
      `${org}-${ticket}-${another}-${mac}`,
      `${another}-${ticket}-${user}-${mac}`,
      `${org}-${ticket}-${user}-${'0'.repeat(25)}`,
      `${org}-${ticket}-${user}-${mac}0`,
    ]) {
      await scene.answer({ from: agent.email, to: `answers+${token}@titular.example` })
      expect(await scene.newest()).toMatchObject({ state: 'ignored', type: 'mail.unaddressed' })
    }
    await scene.answer({ from: agent.email, to: 'answers@titular.example' })
    expect(await bodies(id)).toEqual(['We look'])
  })
  it('but is taken where a server has written the address in capitals, or names it in the envelope only', async () => {
    const { id, to } = await asked()
    await scene.answer({ from: agent.email, to: to.toUpperCase(), text: 'one' })
    await scene.answer({ from: agent.email, to: 'desk@vendor.example', headers: [`Delivered-To: ${to}`], text: 'two' })
    expect(await bodies(id)).toEqual(['We look', 'one', 'two'])
  })
  it('and one whose fields have no end waits for staff', async () => {
    await scene.answer(Buffer.from(`From: a@b.example\r\nX-Long: ${'x'.repeat(200_000)}`))
    expect(await scene.newest()).toMatchObject({ state: 'unreadable', type: 'mail' })
  })
})

/** Deeper than it is read. */
const NESTED = Array.from(
  { length: 60 },
  (_, n) => `Content-Type: multipart/mixed; boundary=b${n}\r\n\r\n--b${n}\r\n`,
).join('')

const nested = (from: string, to: string) => Buffer.from(`From: ${from}\r\nTo: ${to}\r\n${NESTED}`)

describe('the body of a mail', () => {
  it('is not read unless a member sent it', async () => {
    const { id, to } = await asked()
    await scene.answer(nested(agent.email, 'answers@titular.example'))
    expect(await scene.newest()).toMatchObject({ state: 'ignored', type: 'mail.unaddressed' })
    await scene.answer(nested('eve@evil.example', to))
    await expectRefused(id, /The answer is from eve@evil\.example/)
    await scene.answer(nested(agent.email, to))
    await expectRefused(id, /The answer cannot be read: .*nesting depth/)
  })
  it('is read so far that its lines and parts take no more memory than there is', async () => {
    const { id, to } = await asked()
    for (const [line, count] of [
      ['\r\n', 1_000_000],
      ['--part\r\n\r\nx\r\n', 100_000],
    ] as const)
      await scene.answer({ from: agent.email, to, text: `Hi\r\n${line.repeat(count)}` })
    expect((await bodies(id)).map((body) => body.slice(0, 3).trim())).toEqual(['We', 'Hi', 'Hi'])
    const stored = await app.database.query<{ most: number }>(
      `select max(length(body)) as most from provider_events where source = 'sandbox-mail'`,
    )
    expect(stored[0]?.most).toBeLessThan(100_000)
  })
})

describe('GET /admin/inbound-events/{id} of a mail', () => {
  it('200 for staff who read tickets too, 403 for a key that has the jobs alone', async () => {
    const { to } = await asked()
    await scene.answer({ from: agent.email, to, text: 'a secret of Acme' })
    const { id } = await scene.newest()
    expect((await acme.staff.get(`/admin/inbound-events/${id}`)).raw.body).toContain('a secret of Acme')
    const answer = await (await vendorKey(app, { permissions: ['jobs:read'] })).get(`/admin/inbound-events/${id}`)
    expect(answer).toMatchObject({ status: 403, message: 'Scope not authorized: tickets:read' })
    const both = await vendorKey(app, { permissions: ['jobs:read', 'tickets:read'] })
    expect((await both.get(`/admin/inbound-events/${id}`)).status).toBe(200)
  })
})
