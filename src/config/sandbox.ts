// Whether the sandbox is on, whether the demo is loaded, and whether only this machine reaches the service.
import { hostOf, isLoopback } from '#kernel/network/addresses.ts'
import { WrongSettings } from './problems.ts'
import { flag } from './readers.ts'
import type { Variables } from './variable.ts'
import type { Values } from './variables.ts'

export const SANDBOX = {
  sandbox: {
    name: 'SANDBOX',
    meaning:
      'Development mode: sandboxes of other systems, `/mail`, demo. On by default only with the embedded database, a ' +
      'loopback HOST, a loopback or unset PUBLIC_URL and no trusted proxy',
    read: flag,
  },
  demo: {
    name: 'DEMO',
    meaning: 'Load the demo data; on by default on a fresh embedded database in the sandbox',
    read: flag,
  },
} as const satisfies Variables

export const isSandbox = (values: Values): boolean => values.sandbox.sandbox ?? whyNoSandbox(values) === null

/** Why the sandbox is off by default; null when it is on, or SANDBOX is set. */
export function whyNoSandbox(values: Values): string | null {
  if (values.sandbox.sandbox !== null) return null
  return values.database.url === null ? whyNotLocal(values) : 'DATABASE_URL is set'
}

/** By the settings, only this machine reaches the service. */
export const isLocal = (values: Values): boolean => whyNotLocal(values) === null

function whyNotLocal({ http: { host, publicUrl, trustedProxies } }: Values): string | null {
  if (!isLoopback(host)) return 'HOST is not a loopback address'
  if (publicUrl !== null && !isLoopback(hostOf(publicUrl))) return 'PUBLIC_URL is not a loopback address'
  return trustedProxies.length > 0 ? 'TRUSTED_PROXIES names a proxy' : null
}

/** Whether the start loads the demo data. */
export function demoOf({ sandbox: { demo }, database }: Values, sandbox: boolean): boolean {
  if (demo && !sandbox) throw new WrongSettings('DEMO needs SANDBOX=1')
  return demo ?? (sandbox && database.url === null)
}
