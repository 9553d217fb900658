// Crashes during a request to the authority: an issued document is found again, and no row stays pending.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { deadLetters } from '#test/scenes/commerce.ts'
import { KINDS, type TaxScene, taxScene } from '#test/scenes/tax-scene.ts'

let scene: TaxScene
beforeAll(async () => (scene = await taxScene()))
beforeEach(() => scene.authority.reset())
afterAll(() => scene.app.close())

const retry = (id: number) => scene.acme.staff.post(`/tax-invoices/${id}/retry`)
const expectIssuedOnce = (id: number) => scene.expectIssuedOnce(id)

describe('a crash', () => {
  it('between the authority’s answer and our commit: the retry finds what was issued', async () => {
    scene.authority.pause = async () => {
      // The lease expires during the request, so this worker's transaction is rolled back.
      await scene.app.database.query(
        `update jobs set lease = gen_random_uuid(), leased_until = $1
        where kind = 'tax-invoices/send'`,
        [scene.app.clock.now],
      )
      scene.authority.pause = null
    }
    const made = await scene.made()
    expect(made).toMatchObject({ status: 'pending', substatus: 'sending' })
    await scene.app.database.query('update jobs set leased_until = null where lease is not null')
    await scene.workLong(1)
    await expectIssuedOnce(made.id)
    expect(KINDS(scene.authority.calls)).toEqual(['issue', 'find'])
  })
  it('during the request: it may have been sent, so the authority is asked first', async () => {
    const made = await scene.made('breaks')
    await scene.workLong(1)
    await expectIssuedOnce(made.id)
    expect(KINDS(scene.authority.calls)).toEqual(['issue', 'find', 'issue'])
  })
  it('that makes the job a dead letter makes the row an error, and staff see both', async () => {
    const made = await scene.made(...Array.from({ length: 10 }, () => 'breaks' as const))
    await scene.workLong(15)
    expect((await scene.get(made.id)).status).toBe('pending')
    await scene.sweep()
    expect(await scene.get(made.id)).toMatchObject({ status: 'error', substatus: 'unclear' })
    expect(await deadLetters(scene.app)).toEqual([expect.objectContaining({ kind: 'tax-invoices/send' })])
    expect((await retry(made.id)).status).toBe(200)
    await scene.work()
    await expectIssuedOnce(made.id)
    // Running the dead letter again changes nothing once the tax invoice is issued.
    await scene.app.database.query('update jobs set dead_at = null, attempts = 0, run_at = $1', [scene.app.clock.now])
    const calls = scene.authority.calls.length
    await scene.work()
    expect(scene.authority.calls).toHaveLength(calls)
    expect(await deadLetters(scene.app)).toEqual([])
  })
  it('that loses the job leads to another one', async () => {
    const made = await scene.made('away')
    await scene.app.database.query(`delete from jobs where kind = 'tax-invoices/send'`)
    await scene.sweep()
    await expectIssuedOnce(made.id)
  })
})
