// Cancelling and replacing tax invoices: coded reasons, the authority's answers, two at once.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { PROFILE } from '#test/stand-ins/tax-authority.ts'
import { type TaxScene, taxScene } from '#test/scenes/tax-scene.ts'

let scene: TaxScene
beforeAll(async () => (scene = await taxScene()))
beforeEach(() => scene.authority.reset())
afterAll(() => scene.app.close())

const REASON = { reason_code: '1', reason: 'Issued in error' }
const cancel = (id: number, body: object = REASON) => scene.acme.staff.post(`/tax-invoices/${id}/cancel`, body)
const SWAP = { reason_code: '99', reason: 'The address was wrong' }
const substitute = (id: number, body: object = SWAP) => scene.acme.staff.post(`/tax-invoices/${id}/substitute`, body)
const REFUSED = [{ code: 'E0822', message: 'Prazo expirado', detail: null }]
const linkOf = async (invoiceId: number): Promise<string | null> =>
  (await scene.clerk.get(`/invoices/${invoiceId}`)).data.tax_link

describe('POST /tax-invoices/{id}/cancel', () => {
  it('200 for an issued one: cancelling, then cancelled with the authority’s document', async () => {
    const made = await scene.made()
    const answer = await cancel(made.id)
    expect(answer.status).toBe(200)
    expect(answer.data).toMatchObject({ status: 'issued', substatus: 'cancelling', cancel_reason: REASON.reason })
    await scene.work()
    expect(await scene.get(made.id)).toMatchObject({
      status: 'cancelled',
      substatus: null,
      cancel_reason_code: '1',
      cancelled_at: expect.any(String),
      nfse_number: made.nfse_number,
    })
    expect(scene.authority.cancelled).toEqual([
      {
        accessKey: made.access_key,
        provider: { taxId: '12ABC34501DE35' },
        at: scene.app.clock.now,
        reasonCode: '1',
        reason: REASON.reason,
      },
    ])
    const signed = `select kind, xml from tax_invoice_documents where tax_invoice_id = $1 order by id`
    expect(await scene.app.database.query(signed, [made.id])).toEqual([
      { kind: 'invoice', xml: expect.stringContaining('<NFSe') },
      { kind: 'cancellation', xml: `<evento>${made.access_key}</evento>` },
    ])
    expect(await linkOf(made.invoice_id)).toBeNull()
    expect((await scene.clerk.get(`/tax-invoices/${made.id}/xml`)).status, 'the note stays readable').toBe(200)
    expect((await cancel(made.id)).status).toBe(409)
  })
  it('200, and it stays issued when the authority refuses, with its code and message; it can be cancelled again', async () => {
    const made = await scene.made()
    scene.authority.script.cancel = [REFUSED]
    await cancel(made.id)
    await scene.work()
    expect((await scene.clerk.get(`/tax-invoices/${made.id}`, { 'accept-language': 'en' })).data).toMatchObject({
      status: 'issued',
      substatus: 'cancel_refused',
      error_code: 'E0822',
      error_message: 'Prazo expirado',
      error_explanation: expect.stringContaining('period'),
    })
    expect((await cancel(made.id, { ...REASON, reason_code: '9' })).data).toMatchObject({
      substatus: 'cancelling',
      error_code: null,
    })
    await scene.work()
    expect((await scene.get(made.id)).status).toBe('cancelled')
  })
  it('200, repeated while the authority is away or unclear, and cancelled once', async () => {
    const made = await scene.made()
    scene.authority.script.cancel = ['away', 'lost', 'away']
    await cancel(made.id)
    await scene.workLong(5)
    expect(await scene.get(made.id)).toMatchObject({ status: 'cancelled', substatus: null })
    expect(scene.authority.cancelled).toHaveLength(4)
  })
  it('200, given up after half a day or when the job fails: it stays issued, and can be cancelled again', async () => {
    const made = await scene.made()
    scene.authority.script.cancel = Array.from({ length: 24 }, () => 'away' as const)
    await cancel(made.id)
    await scene.workLong(30)
    expect(await scene.get(made.id)).toMatchObject({ status: 'issued', substatus: 'cancel_unavailable' })
    scene.authority.script.cancel = Array.from({ length: 10 }, () => 'breaks' as const)
    expect((await cancel(made.id)).status).toBe(200)
    await scene.workLong(15)
    expect((await scene.get(made.id)).substatus).toBe('cancelling')
    await scene.sweep()
    expect((await scene.get(made.id)).substatus).toBe('cancel_unavailable')
    await cancel(made.id)
    await scene.work()
    expect((await scene.get(made.id)).status).toBe('cancelled')
  })
  it('200 at once, without a request, for one that was refused or never sent', async () => {
    const refused = await scene.made(REFUSED)
    expect((await cancel(refused.id)).data).toMatchObject({ status: 'cancelled', substatus: null })
    scene.authority.profile = null
    const undeclared = await scene.made()
    expect((await cancel(undeclared.id)).data.status).toBe('cancelled')
    expect(scene.authority.cancelled).toEqual([])
  })
  it('200 at once for one that is queued, whose job then sends nothing', async () => {
    const made = await scene.made(REFUSED)
    scene.authority.calls.length = 0
    await scene.acme.staff.post(`/tax-invoices/${made.id}/retry`)
    expect((await cancel(made.id)).data.status).toBe('cancelled')
    await scene.work()
    expect(scene.authority.calls).toEqual([])
    expect((await scene.get(made.id)).status).toBe('cancelled')
  })
  it('409 for one that the authority may have, and while it is being cancelled', async () => {
    const made = await scene.made('lost')
    expect(made.substatus).toBe('unclear')
    expect((await cancel(made.id)).status).toBe(409)
    await scene.workLong(3)
    expect((await scene.get(made.id)).status).toBe('issued')
  })
  it('200 for one of sixteen at once, 409 for the others, and one request to the authority', async () => {
    const made = await scene.made()
    const answers = await Promise.all(Array.from({ length: 16 }, () => cancel(made.id)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(15)
    await scene.work()
    expect(scene.authority.cancelled).toHaveLength(1)
  })
  it.each([
    ['no reason', { reason_code: '1' }, 'reason'],
    ['a short one', { ...REASON, reason: 'too short' }, 'reason'],
    ['a padded one', { ...REASON, reason: `a${' '.repeat(30)}` }, 'reason'],
    ['a long one', { ...REASON, reason: 'x'.repeat(256) }, 'reason'],
    ['another code', { ...REASON, reason_code: '3' }, 'reason_code'],
    ['a number as code', { ...REASON, reason_code: 1 }, 'reason_code'],
    ['an unknown field', { ...REASON, why: 'so' }, 'why'],
    ['another organization', { ...REASON, organization_id: 999_999 }, 'organization_id'],
  ])('422 for %s', async (_what, body, field) => {
    const answer = await cancel(999_999_999, body)
    expect(answer.status).toBe(422)
    expect(answer.errors?.fields).toHaveProperty(field)
  })
})

describe('POST /tax-invoices/{id}/substitute', () => {
  it('201 and the successor replaces the old one, with links both ways', async () => {
    const old = await scene.made()
    const answer = await substitute(old.id, { ...SWAP, description: 'Licença de software, doze meses' })
    expect(answer.status, answer.raw.body).toBe(201)
    expect(answer.data).toMatchObject({
      status: 'pending',
      replaces_id: old.id,
      total: old.total,
      replaced_by_id: null,
    })
    expect(answer.data.rps_number).not.toBe(old.rps_number)
    expect((await scene.get(old.id)).status, 'until the successor is').toBe('issued')
    await scene.work()
    const [before, after] = [await scene.get(old.id), await scene.get(answer.data.id)]
    expect(before).toMatchObject({
      status: 'cancelled',
      substatus: 'substituted',
      replaced_by_id: after.id,
      cancel_reason_code: '99',
    })
    expect(after).toMatchObject({
      status: 'issued',
      replaces_id: old.id,
      description: 'Licença de software, doze meses',
    })
    expect(scene.authority.declared.at(-1)?.replaces).toEqual({
      accessKey: old.access_key,
      reasonCode: '99',
      reason: SWAP.reason,
    })
    expect(await linkOf(old.invoice_id)).toMatch(`/tax-invoices/${after.id}/pdf`)
    const again = await substitute(after.id)
    await scene.work()
    expect((await scene.get(again.data.id)).status).toBe('issued')
    expect((await scene.get(after.id)).substatus).toBe('substituted')
    const more = await scene.acme.staff.post('/tax-invoices', { invoice_id: old.invoice_id })
    expect(more.status, 'all of it is declared').toBe(409)
  })
  it('409 for a second one and for a cancellation while one is under way', async () => {
    const old = await scene.made()
    const { data: successor } = await substitute(old.id)
    expect((await substitute(old.id)).status).toBe(409)
    expect((await cancel(old.id)).status).toBe(409)
    expect((await scene.acme.staff.post('/tax-invoices', { invoice_id: old.invoice_id })).status).toBe(409)
    await scene.work()
    expect((await scene.get(successor.id)).status).toBe('issued')
  })
  it('201, and the old one stays issued when the successor is refused and cancelled', async () => {
    const old = await scene.made()
    scene.authority.script.issue = [REFUSED]
    const { data: successor } = await substitute(old.id)
    await scene.work()
    expect((await scene.get(successor.id)).status).toBe('error')
    expect((await scene.acme.staff.post('/tax-invoices', { invoice_id: old.invoice_id })).status).toBe(409)
    expect((await cancel(successor.id)).data.status).toBe('cancelled')
    expect(await scene.get(old.id)).toMatchObject({ status: 'issued', cancel_reason: null, replaced_by_id: null })
    expect((await cancel(old.id)).status).toBe(200)
    await scene.work()
    expect((await scene.get(old.id)).status).toBe('cancelled')
  })
  it('201, and a refused successor is retried under its own number', async () => {
    const old = await scene.made()
    scene.authority.script.issue = [REFUSED]
    const { data: successor } = await substitute(old.id)
    await scene.work()
    await scene.acme.staff.post(`/tax-invoices/${successor.id}/retry`)
    await scene.work()
    expect(await scene.get(successor.id)).toMatchObject({ status: 'issued', rps_number: successor.rps_number })
    expect(await scene.get(old.id)).toMatchObject({ status: 'cancelled', replaced_by_id: successor.id })
  })
  it('409 for one that is not issued or is being cancelled, and without a profile', async () => {
    const refused = await scene.made(REFUSED)
    expect((await substitute(refused.id)).status).toBe(409)
    const old = await scene.made()
    scene.authority.profile = null
    expect((await substitute(old.id)).status).toBe(409)
    scene.authority.profile = { ...PROFILE, services: {} }
    expect((await substitute(old.id)).status).toBe(409)
    scene.authority.profile = PROFILE
    await cancel(old.id)
    expect((await substitute(old.id)).status).toBe(409)
    await scene.work()
    expect((await substitute(old.id)).status).toBe(409)
  })
  it('201 with one successor for eight at once', async () => {
    const old = await scene.made()
    const answers = await Promise.all(Array.from({ length: 8 }, () => substitute(old.id)))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(7)
    await scene.work()
  })
  it('422 for a reason without readable characters, and no request to the authority', async () => {
    const { id } = await scene.made()
    const calls = scene.authority.calls.length
    for (const reason of ['\u0001'.repeat(20), `a${'\u0085'.repeat(30)}b`, `a${' '.repeat(30)}b`]) {
      expect((await substitute(id, { ...SWAP, reason })).errors?.fields).toHaveProperty('reason')
      expect((await cancel(id, { reason_code: '9', reason })).errors?.fields).toHaveProperty('reason')
    }
    await scene.work()
    expect([await scene.get(id), scene.authority.calls.length]).toMatchObject([{ substatus: null }, calls])
  })
  it('422 for a reason that the layout has no code for', async () => {
    const old = await scene.made()
    for (const reason_code of ['1', '06', '', null])
      expect((await substitute(old.id, { ...SWAP, reason_code })).errors?.fields).toHaveProperty('reason_code')
    expect((await substitute(old.id, { ...SWAP, description: ' ' })).status).toBe(422)
  })
})
