// interface.test.ts compares the tables of states. Where several moves lead from one state to the same other one, the
// table does not describe each of them, so they are listed here by name.
import { expect, it } from 'vitest'
import type { Move } from '#kernel/data/moves.ts'
import { areaExports } from './area-exports.ts'

const changesOf = ({ from, to }: Move): string[] => from.map((state) => `${state} → ${to}`)

it('moves that share a transition with another have the intended states', async () => {
  const shared = (await areaExports()).flatMap(({ name, value }) => {
    if (!name.endsWith('Moves')) return []
    const acts: [string, Move][] = Object.entries(value as Record<string, Move>)
    return acts.flatMap(([act, move]) => {
      const others = new Set(acts.filter(([another]) => another !== act).flatMap(([, one]) => changesOf(one)))
      return changesOf(move).some((change) => others.has(change))
        ? [`${name}.${act}: ${changesOf(move).join(', ')}`]
        : []
    })
  })
  expect(shared).toEqual([
    'provisioningMoves.queue: none → queued, requested → queued, failed → queued',
    'provisioningMoves.finish: queued → done, requested → done, failed → done',
    'provisioningMoves.confirm: queued → done, requested → done, failed → done',
    'provisioningMoves.replace: none → queued, queued → queued, requested → queued, failed → queued, done → queued',
    'serviceMoves.start: approved → in_progress, on_hold → in_progress, delivered → in_progress',
    'serviceMoves.close: delivered → closed',
    'serviceMoves.acceptDelivery: delivered → closed',
    'serviceMoves.rejectDelivery: delivered → in_progress',
    'orderMoves.cancel: pending → cancelled, processing → cancelled, on-hold → cancelled, failed → cancelled',
    'orderMoves.cancelAsCustomer: pending → cancelled, processing → cancelled',
    'orderMoves.endWithSubscription: pending → cancelled, processing → cancelled, on-hold → cancelled, failed → cancelled, completed → cancelled',
    'orderMoves.endWithSale: completed → cancelled',
    'quoteMoves.cancel: draft → cancelled, sent → cancelled, viewed → cancelled, accepted → cancelled, paid → cancelled',
    'quoteMoves.supersede: sent → cancelled, viewed → cancelled',
  ])
})
