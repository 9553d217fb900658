// Many domains of one license at once: its limit holds.
import { describe, expect, it } from 'vitest'
import { isDeep } from '#test/harness/seeds.ts'
import { appOfFile } from '#test/harness/app.ts'
import { license } from '#test/scenes/licenses.ts'

const app = await appOfFile()
const acme = await app.world.organization()
const member = await acme.member({ scopes: ['licenses'] })

const at = (id: number, rest = ''): string => `/licenses/${id}${rest}`
const activate = (id: number, domain: unknown) => member.post(at(id, '/activate'), { domain })
const deactivate = (id: number, domain: unknown) => member.post(at(id, '/deactivate'), { domain })

const statuses = (answers: { status: number }[]) =>
  Object.fromEntries(
    Map.groupBy(answers, ({ status }) => status)
      .entries()
      .map(([status, all]) => [status, all.length]),
  )

describe('at once', () => {
  it('64 domains on a limit of 5: five, round after round', async () => {
    for (let round = 0; round < (isDeep ? 30 : 4); round++) {
      const { id } = await license(acme)
      const answers = await Promise.all(Array.from({ length: 64 }, (_, index) => activate(id, `site-${index}.example`)))
      expect(statuses(answers)).toEqual({ 200: 5, 409: 59 })
      const { activations_count, activated_domains } = (await member.get(at(id))).data
      expect([activations_count, new Set(activated_domains).size]).toEqual([5, 5])
    }
  })
  it('one domain sixteen times in different spellings counts once', async () => {
    const { id } = await license(acme)
    const answers = await Promise.all(
      Array.from({ length: 16 }, (_, index) => activate(id, index % 2 ? 'https://WWW.a.example/' : 'A.example.')),
    )
    expect(statuses(answers)).toEqual({ 200: 16 })
    expect((await member.get(at(id))).data.activated_domains).toEqual(['a.example'])
    expect((await member.get(at(id, '/history'))).meta?.total).toBe(2)
  })
  it('one slot freed sixteen times is freed once', async () => {
    const { id } = await license(acme)
    await activate(id, 'a.example')
    expect(statuses(await Promise.all(Array.from({ length: 16 }, () => deactivate(id, 'a.example'))))).toEqual({
      200: 1,
      404: 15,
    })
  })
  it('the limit holds at every moment while domains come and go', async () => {
    const { id } = await license(acme, { activations_limit: 3 })
    const sampled: number[] = []
    const churning = { isOver: false }
    const sampler = (async () => {
      while (!churning.isOver) {
        const [row] = await app.database.query<{ n: number }>(
          `select cardinality(activated_domains) as n from licenses where id = $1`,
          [id],
        )
        sampled.push(row?.n ?? 99)
      }
    })()
    const churn = async (worker: number) => {
      for (let step = 0; step < 6; step++) {
        const act = (worker + step) % 3 === 0 ? deactivate : activate
        const { status } = await act(id, `site-${(worker * 5 + step) % 9}.example`)
        expect([200, 404, 409]).toContain(status)
      }
    }
    await Promise.all(Array.from({ length: 16 }, (_, worker) => churn(worker)))
    churning.isOver = true
    await sampler
    expect(sampled.length).toBeGreaterThan(10)
    expect(Math.max(...sampled)).toBe(3)
    const { activations_count, activated_domains } = (await member.get(at(id))).data
    const history = (await member.get(at(id, '/history?per_page=100'))).data
    const active = new Set<string>()
    for (const { action, domain } of history)
      if (action === 'activated') active.add(domain)
      else active.delete(domain)
    expect(activations_count).toBe(activated_domains.length)
    expect([...active].toSorted()).toEqual(activated_domains.toSorted())
  })
  it('an activation during a suspension of the entitlement comes before it or fails', async () => {
    for (let round = 0; round < 10; round++) {
      const { id, entitlement_id } = await license(acme)
      const [activated, suspended] = await Promise.all([
        activate(id, 'a.example'),
        acme.staff.post(`/entitlements/${entitlement_id}/suspend`),
      ])
      expect(suspended.status).toBe(200)
      const after = (await member.get(at(id))).data
      expect(after.status).toBe('suspended')
      expect(after.activated_domains).toEqual(activated.status === 200 ? ['a.example'] : [])
      const actions = (await member.get(at(id, '/history'))).data.map(({ action }: { action: string }) => action)
      expect(actions.at(-1)).toBe('suspended')
    }
  })
  it('a lower limit and new domains: the limit holds', async () => {
    for (let round = 0; round < 5; round++) {
      const { id } = await license(acme)
      await Promise.all([
        ...Array.from({ length: 6 }, (_, index) => activate(id, `site-${index}.example`)),
        acme.staff.patch(at(id), { activations_limit: 2, reason: 'Less' }),
      ])
      const { activations_count, activations_limit } = (await member.get(at(id))).data
      expect(activations_count).toBeLessThanOrEqual(activations_limit)
    }
  })
})
