// The port that the service is going to listen on: free, and known before anything that needs the address is made.
import { createServer } from 'node:net'
import type { Config } from '#config/config.ts'
import { localUrl } from '#config/http.ts'
import type { VariableName } from '#config/variables.ts'
import { StartupError } from '../postgres/startup-error.ts'

/** The setting that the port comes from is named when it cannot be had. */
type Address = { setting: Extract<VariableName, 'PORT' | 'WORK_PORT'>; host: string; port: number }

export const addressOf = ({ host, port }: Config): Address => ({ setting: 'PORT', host, port })

/** Of `work`, which listens only when it is told to. */
export const workAddressOf = ({ host, workPort }: Config): Address | null =>
  workPort === null ? null : { setting: 'WORK_PORT', host, port: workPort }

/** Port 0 is decided here. */
export async function withFreePort(config: Config): Promise<Config> {
  const port = await freePort(addressOf(config))
  if (config.port !== 0) return config
  const publicUrl = config.isPublicUrlDerived ? localUrl({ ...config, port }) : config.publicUrl
  return { ...config, port, publicUrl }
}

/** Throws when nothing can listen there. */
export function freePort(address: Address): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer().once('error', (error) => reject(portProblem(address, error)))
    probe.listen(address.port, address.host, () => {
      const given = probe.address()
      probe.close(() => resolve(typeof given === 'object' && given ? given.port : 0))
    })
  })
}

/** Somebody may still take the port before the service does. */
export function portProblem({ setting, host, port }: Address, error: unknown): Error {
  const code = error instanceof Error && 'code' in error ? error.code : ''
  const refused = (line: string) => new StartupError(line, { cause: error })
  if (code === 'EADDRINUSE')
    return refused(`${setting} ${port} is in use on ${host}; stop what listens there, or set another ${setting}`)
  if (code === 'EACCES')
    return refused(`${setting} ${port} needs rights that this user lacks; set a ${setting} from 1024 on`)
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return refused(`HOST ${host} is no address of this machine; 127.0.0.1 is the loopback, 0.0.0.0 all of them`)
  return error instanceof Error ? error : new Error(String(error))
}
