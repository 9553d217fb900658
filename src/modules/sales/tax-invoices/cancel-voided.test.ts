// A voided invoice whose tax invoice was issued before the payment: cancelled within the deadline, or a dead letter.
import { Client } from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { addDays, startOfDay } from '#kernel/values/time/calendar.ts'
import { deadLetters } from '#test/scenes/commerce.ts'
import { somebodyWaits } from '#test/harness/database.ts'
import { openInvoice } from '#test/scenes/paid-invoices.ts'
import { PROFILE, type ScriptedAnswer } from '#test/stand-ins/tax-authority.ts'
import { KINDS, type TaxScene, taxScene } from '#test/scenes/tax-scene.ts'
import type { Answer } from '#test/harness/world.ts'

let scene: TaxScene
beforeAll(async () => (scene = await taxScene()))
beforeEach(async () => {
  scene.authority.reset()
  await scene.app.database.query('delete from jobs where dead_at is not null')
})
afterAll(() => scene.app.close())

const REFUSED = [{ code: 'E0822', message: 'Prazo expirado', detail: null }]

/** The tax invoice of an open invoice, sent to an authority with these answers. */
async function declared(...answers: ScriptedAnswer[]): Promise<Answer['data']> {
  scene.authority.script.issue.push(...answers)
  const invoice_id = await openInvoice(scene.app, scene.acme)
  const { data, status } = await scene.acme.staff.post('/tax-invoices', { invoice_id })
  expect(status).toBe(201)
  await scene.work()
  return scene.get(data.id)
}
const voided = async ({ invoice_id }: { invoice_id: number }) => {
  expect((await scene.acme.staff.post(`/invoices/${invoice_id}/void`)).status).toBe(200)
  await scene.work()
}
const waitingJobs = () => scene.app.database.query(`select kind from jobs where kind like 'tax-invoices/cancel%'`)
const retryLetter = async () => {
  const retried = 'update jobs set dead_at = null, attempts = 0, run_at = $1 where dead_at is not null'
  await scene.app.database.query(retried, [scene.app.clock.now])
  await scene.work()
}

describe('a voided invoice', () => {
  it('has its tax invoice cancelled at the authority, once, with a reason that says so', async () => {
    const made = await declared()
    await voided(made)
    expect(await scene.get(made.id)).toMatchObject({
      status: 'cancelled',
      cancel_reason_code: '9',
      cancel_reason: 'A fatura foi anulada antes do pagamento.',
    })
    await scene.workLong(3)
    expect(scene.authority.cancelled.map(({ accessKey }) => accessKey)).toEqual([made.access_key])
    expect([await waitingJobs(), await deadLetters(scene.app)]).toEqual([[], []])
    expect((await scene.acme.staff.get(`/invoices/${made.invoice_id}`)).data.tax_link).toBeNull()
  })
  it('has one cancelled at once that was refused or never sent', async () => {
    scene.authority.script.prepare = ['away']
    const waiting = await declared()
    expect(waiting).toMatchObject({ status: 'pending', substatus: 'unavailable' })
    await voided(waiting)
    expect((await scene.get(waiting.id)).status).toBe('cancelled')
    const refused = await declared(REFUSED)
    expect((await scene.acme.staff.post(`/invoices/${refused.invoice_id}/void`)).status).toBe(200)
    expect((await scene.acme.staff.post(`/tax-invoices/${refused.id}/retry`)).status, 'declared no more').toBe(409)
    await scene.work()
    expect((await scene.get(refused.id)).status).toBe('cancelled')
    expect(scene.authority.cancelled).toEqual([])
    await scene.workLong(3)
    expect(await waitingJobs()).toEqual([])
  })
  it.each(['issued_unseen', 'lost', 'late'] as const)(
    'has one cancelled whose answer is %s, once it is known',
    async (how) => {
      const made = await declared(how)
      expect(made.substatus).toBe('unclear')
      await voided(made)
      await scene.workLong(6)
      expect(await scene.get(made.id)).toMatchObject({ status: 'cancelled', substatus: null })
      expect(scene.authority.cancelled).toHaveLength(1)
      expect([await waitingJobs(), await deadLetters(scene.app)]).toEqual([[], []])
    },
  )
  it('has both cancelled when one is about to replace the other', async () => {
    const old = await declared()
    scene.authority.script.issue = ['lost']
    const swap = { reason_code: '99', reason: 'The address was wrong' }
    const { data: successor } = await scene.acme.staff.post(`/tax-invoices/${old.id}/substitute`, swap)
    await scene.work()
    await voided(old)
    await scene.workLong(6)
    expect((await scene.get(old.id)).substatus).toBe('substituted')
    expect(await scene.get(successor.id)).toMatchObject({ status: 'cancelled', substatus: null })
    expect(await deadLetters(scene.app)).toEqual([])
  })
  it('without tax invoices needs nothing', async () => {
    const invoice_id = await openInvoice(scene.app, scene.acme)
    await voided({ invoice_id })
    expect([await waitingJobs(), scene.authority.calls]).toEqual([[], []])
  })
  it('gets none for a request that comes while it is being voided', async () => {
    const { database } = scene.app
    const invoice_id = await openInvoice(scene.app, scene.acme)
    const voiding = new Client({ connectionString: database.url })
    await voiding.connect()
    await voiding.query('begin')
    await voiding.query(`update invoices set status = 'void' where id = $1`, [invoice_id])
    const answer = scene.acme.staff.post('/tax-invoices', { invoice_id })
    await Promise.race([answer, somebodyWaits(database)])
    await voiding.query('commit')
    await voiding.end()
    expect((await answer).status).toBe(409)
  })
})

describe('a dead letter', () => {
  it('says that the authority refuses, which staff settle', async () => {
    const made = await declared()
    scene.authority.script.cancel = [REFUSED]
    await voided(made)
    await scene.workLong(2)
    const [letter, ...more] = await deadLetters(scene.app)
    expect(more).toEqual([])
    expect(letter).toMatchObject({
      kind: 'tax-invoices/cancel-voided',
      last_error: expect.stringMatching(new RegExp(`refuses to cancel tax invoice ${made.id} .*E0822`)),
    })
    expect(KINDS(scene.authority.calls).filter((call) => call === 'cancel')).toHaveLength(1)
    const swap = { reason_code: '99', reason: 'The address was wrong' }
    const substitute = await scene.acme.staff.post(`/tax-invoices/${made.id}/substitute`, swap)
    expect([substitute.status, substitute.message]).toEqual([409, 'The invoice is void: cancel it'])
    await scene.acme.staff.post(`/tax-invoices/${made.id}/cancel`, {
      reason_code: '2',
      reason: 'It was never rendered',
    })
    await retryLetter()
    await scene.workLong(2)
    expect((await scene.get(made.id)).status).toBe('cancelled')
    expect([await waitingJobs(), await deadLetters(scene.app)]).toEqual([[], []])
  })
  it('says that the deadline is over, without a request; within it one is sent', async () => {
    const cancel_days = 3650
    scene.authority.profile = { ...PROFILE, cancel_days }
    const [late, timely] = [await declared(), await declared()]
    const last = addDays('2026-11-20', cancel_days)
    expect(late.cancel_until).toBe(last)
    const over = startOfDay(addDays(last, 1), 'America/Sao_Paulo')
    for (const { invoice_id } of [late, timely])
      expect((await scene.acme.staff.post(`/invoices/${invoice_id}/void`)).status).toBe(200)
    const at = `where kind = 'tax-invoices/cancel-voided' and payload ->> 'resource_id' = $1`
    await scene.app.database.query(`update jobs set run_at = $2 ${at}`, [String(late.invoice_id), over])
    await scene.workAt(new Date(over.getTime() - 1))
    expect(scene.authority.cancelled.map(({ accessKey }) => accessKey)).toEqual([timely.access_key])
    await scene.workAt(over)
    expect((await scene.get(late.id)).status).toBe('issued')
    expect(scene.authority.cancelled).toHaveLength(1)
    const [letter] = await deadLetters(scene.app)
    expect(letter?.last_error).toContain(`tax invoice ${late.id} of a voided invoice could be cancelled until ${last}`)
  })
  it('says that staff must retry what nobody knows about', async () => {
    const made = await declared(...Array.from({ length: 24 }, () => 'lost' as const))
    await scene.workLong(30)
    expect(await scene.get(made.id)).toMatchObject({ status: 'error', substatus: 'unclear' })
    await voided(made)
    expect((await deadLetters(scene.app))[0]?.last_error).toContain('is unknown: retry it')
    await scene.acme.staff.post(`/tax-invoices/${made.id}/retry`)
    await scene.workLong(2)
    await retryLetter()
    await scene.workLong(2)
    expect((await scene.get(made.id)).status).toBe('cancelled')
  })
})
