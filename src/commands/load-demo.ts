// The demo, loaded by one process at a time: of several that start at once on an empty database the first loads it, and
// the others wait until it is there.
import type { Config } from '#config/config.ts'
import type { DemoService } from '../demo/demo-service.ts'
import { loadWholeDemo } from '../demo/history/load-histories.ts'
import type { SignIn } from '../demo/sign-ins.ts'
import { withLogin } from '../postgres/login.ts'

export const loadDemoAlone = (ownerUrl: string, service: DemoService, config: Config): Promise<SignIn[]> =>
  withLogin(ownerUrl, async (client) => {
    await client.query(`select pg_advisory_lock(hashtextextended('demo', 0))`)
    return loadWholeDemo(service, config)
  })
