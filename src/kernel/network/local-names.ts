// Names that no public name server has: reserved for local use (RFC 2606, 6761, 6762, 8375), never delegated by ICANN
// because networks use them (home, corp, internal), or used by routers (lan, intranet, localdomain, private).

const LOCAL = 'test|invalid|localhost|localdomain|local|internal|intranet|lan|home|home\\.arpa|corp|private'
const LOCAL_NAME = new RegExp(`(^|\\.)(${LOCAL})\\.?$`)

/** Takes a host name in lower case. */
export const isLocalName = (host: string): boolean => LOCAL_NAME.test(host)
