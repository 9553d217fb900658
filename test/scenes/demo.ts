// The service with its demo, whose jobs are done.
import { readConfig } from '#config/config.ts'
import { startApp, type TestApp } from '#test/harness/app.ts'
import { ALL_SYSTEMS } from '#test/harness/other-systems.ts'
import { loadDemo } from '../../src/demo/load-demo.ts'

export async function startDemo(environment: Readonly<Record<string, string>> = {}): Promise<TestApp> {
  const app = await startApp({ listens: true, environment: { ...ALL_SYSTEMS, ...environment } })
  await loadDemo(app.service, readConfig({}))
  // The clock of the jobs is put after the moment in which the demo was loaded.
  app.clock.advance(60)
  await app.service.worker.drain()
  return app
}
