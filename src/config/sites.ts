// Sites: who is asked for the proofs of their domains.
import { listOf, nameServer } from './readers.ts'
import type { Variables } from './variable.ts'

export const SITES = {
  nameServers: {
    name: 'NAME_SERVERS',
    meaning: 'Name servers that are asked for the proofs of sites, by comma; the system’s when unset',
    fallback: '',
    read: listOf(nameServer),
  },
} as const satisfies Variables
