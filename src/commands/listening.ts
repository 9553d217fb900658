// Finds the port to listen on, and that it is free, before anything needs the service's address.
import { createServer } from 'node:net'
import type { Config } from '#config/config.ts'
import { localUrl } from '#config/http.ts'
import { consoleOf } from '#config/portal.ts'
import type { VariableName } from '#config/variables.ts'
import { StartupError } from '../postgres/startup-error.ts'

/** Errors name the setting that the port comes from. */
type Address = { setting: Extract<VariableName, 'PORT' | 'WORK_PORT'>; host: string; port: number }

export const addressOf = ({ host, port }: Config): Address => ({ setting: 'PORT', host, port })

/** Of the command `work`, which listens only when WORK_PORT is set. */
export const workAddressOf = ({ host, workPort }: Config): Address | null =>
  workPort === null ? null : { setting: 'WORK_PORT', host, port: workPort }

/** Replaces port 0 by a free port. */
export async function withFreePort(config: Config): Promise<Config> {
  const port = await freePort(addressOf(config))
  if (config.port !== 0) return config
  const publicUrl = config.isPublicUrlDerived ? localUrl({ ...config, port }) : config.publicUrl
  const isConsole = config.portal.url === consoleOf(config.publicUrl).url
  return { ...config, port, publicUrl, ...(isConsole && { portal: consoleOf(publicUrl) }) }
}

/** Throws a StartupError when the service cannot listen there. */
export function freePort(address: Address): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer().once('error', (error) => reject(portProblem(address, error)))
    probe.listen(address.port, address.host, () => {
      const given = probe.address()
      probe.close(() => resolve(typeof given === 'object' && given ? given.port : 0))
    })
  })
}

/** Also for `listen` itself, since another process may take the port in between. */
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
