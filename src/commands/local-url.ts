// Where the sandbox's outside systems are reached from inside: over the loopback, whatever the public address is.
import type { Config } from '#config/config.ts'

export const localUrl = ({ host, port }: Config): string => `http://${host.includes(':') ? `[${host}]` : host}:${port}`
