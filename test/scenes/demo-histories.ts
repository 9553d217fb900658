// Histories of the demo, made to their end.
import { loadHistories } from '../../src/demo/history/load-histories.ts'
import type { HistoryName } from '../../src/demo/history/histories.ts'
import type { TestApp } from '#test/harness/app.ts'

/** The job that looks whether a customer has come to today does so every two seconds. */
const MOST_LOOKS = 20

/** Gives the ids of the customers by name. */
export async function liveThrough(app: TestApp, names: readonly HistoryName[]): Promise<Map<string, number>> {
  const signIns = await loadHistories(app.service, names)
  app.clock.advance(60)
  for (let looks = 0; looks < MOST_LOOKS; looks++) {
    await app.service.worker.drain()
    const clocks = await app.database.query<{ error: string | null }>('select c.error from test_clocks c')
    const [stopped] = clocks.flatMap(({ error }) => (error === null ? [] : [error]))
    if (stopped !== undefined) throw new Error(stopped)
    if (clocks.length === 0) break
    app.clock.advance(3)
  }
  return new Map(signIns.map(({ organization, organizationId }) => [organization, organizationId ?? 0]))
}
