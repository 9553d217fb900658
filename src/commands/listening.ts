// The port that the service is going to listen on: free, and known before anything that needs the address is made.
import { createServer } from 'node:net'
import type { Config } from '../config.ts'
import { StartupError } from '../postgres/startup-error.ts'

/** Port 0 is decided here. */
export async function withFreePort(config: Config): Promise<Config> {
  const port = await freePort(config).catch((error: unknown) => {
    throw portProblem(config, error)
  })
  if (config.port !== 0) return config
  const publicUrl = config.isPublicUrlDerived ? config.publicUrl.replace(/:0$/, `:${port}`) : config.publicUrl
  return { ...config, port, publicUrl }
}

function freePort({ host, port }: Config): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer().once('error', reject)
    probe.listen(port, host, () => {
      const address = probe.address()
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}

/** Somebody may still take the port before the service does. */
export function portProblem({ host, port }: Config, error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : ''
  const refused = (line: string) => new StartupError(line, { cause: error })
  if (code === 'EADDRINUSE')
    return refused(`PORT ${port} is in use on ${host}; stop what listens there, or set another PORT`)
  if (code === 'EACCES') return refused(`PORT ${port} needs rights that this user lacks; set a PORT from 1024 on`)
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return refused(`HOST ${host} is no address of this machine; 127.0.0.1 is the loopback, 0.0.0.0 all of them`)
  return error
}
