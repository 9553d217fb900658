// A server that is compared with the limit, in a process of its own: the service as `serve` composes it, or the bare one. Both
// have the same pools, keys and data; neither runs jobs unless it is asked to, so that only requests are measured.
import type { AddressInfo, Server } from 'node:net'
import { compose } from '../src/commands/compose.ts'
import { createConsole } from '../src/commands/console.ts'
import { loadSecrets } from '../src/commands/secrets.ts'
import { createBareServer } from './bare.ts'
import { type ServerOptions, benchConfig } from './settings.ts'
import { onCluster } from '../src/postgres/citus/logins.ts'
import { sharedLogin } from '../src/postgres/roles.ts'

const options: ServerOptions = JSON.parse(process.argv[2] ?? '{}')
const config = benchConfig(options)
const service = await compose({
  config,
  secrets: await loadSecrets(config),
  logins: () => (options.isDistributed ? onCluster(sharedLogin(options.url)) : sharedLogin(options.url)),
  hooks: {},
  log: createConsole(config.logLevel).log,
})

const stop = options.kind === 'bare' ? await listenBare() : await listenService()

// The parent process has ended, however it did: this one must not outlive it.
process.once('disconnect', () => {
  void stop().finally(() => process.exit(0))
})

async function listenService(): Promise<() => Promise<void>> {
  await service.app.listen({ host: config.host, port: 0 })
  tellPort(service.app.server)
  if (options.works) await service.worker.start()
  return () => service.close()
}

async function listenBare(): Promise<() => Promise<void>> {
  const bare = createBareServer(service)
  await new Promise<void>((resolve) => bare.listen(0, config.host, resolve))
  tellPort(bare)
  return async () => {
    bare.closeAllConnections()
    bare.close()
    await service.close()
  }
}

function tellPort(server: Server): void {
  const address: AddressInfo | string | null = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  process.send?.({ port: address.port })
}
