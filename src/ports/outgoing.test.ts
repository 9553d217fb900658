// Outgoing connections over real sockets, with a resolver that answers as a hostile name server could.
import type { lookup, LookupAddress } from 'node:dns'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { request } from 'undici'
import { isPublicAddress } from '#kernel/network/addresses.ts'
import { guardedAgent, guardedLookup, PrivateAddress } from './outgoing.ts'

const PRIVATE = [
  '127.0.0.1',
  '127.9.9.9',
  '0.0.0.0',
  '10.0.0.7',
  '172.16.0.1',
  '192.168.1.1',
  '100.64.0.1',
  '169.254.169.254',
  '198.18.0.1',
  '224.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::ffff:127.0.0.1',
  '::ffff:a9fe:a9fe',
  '::7f00:1',
  '::a00:7',
  '4000::1',
  '64:ff9b::7f00:1',
  '64:ff9b:1::7f00:1',
  '::ffff:0:7f00:1',
  '2002:7f00:1::',
  'fe80::1',
  'fc00::1',
  'fd12:3456::1',
  'ff02::1',
  'not an address',
]

let port = 0
const asked: string[] = []
const server = createServer((message, response) => {
  asked.push(message.url ?? '')
  response.end('here')
})
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it listens on a port
  port = (server.address() as AddressInfo).port
})
afterAll(() => void server.close())

const ask = async (host: string, loopback: boolean): Promise<string> => {
  const dispatcher = guardedAgent({ connect: { timeout: 2000 } }, { loopback })
  try {
    const { body } = await request(`http://${host}:${port}/asked`, { dispatcher })
    return await body.text()
  } finally {
    await dispatcher.destroy()
  }
}

/** A resolver that gives these addresses for every name. */
const resolving = (...addresses: string[]): typeof lookup => {
  const found = addresses.map((address): LookupAddress => ({ address, family: address.includes(':') ? 6 : 4 }))
  const resolver = (_host: string, _options: object, done: (error: null, all: LookupAddress[]) => void) =>
    done(null, found)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the one form that is called
  return resolver as unknown as typeof lookup
}

const found = (resolve: typeof lookup, loopback = false, all = false) =>
  new Promise((done) => {
    guardedLookup({ loopback, resolve })('name.example', { all }, (error, address) => done(error ?? address))
  })

describe('a public address', () => {
  it('is not private, shared or reserved, in any spelling', () => {
    expect(PRIVATE.filter(isPublicAddress)).toEqual([])
    expect(['93.184.216.34', '2606:2800:220:1::', '::ffff:93.184.216.34'].filter(isPublicAddress)).toHaveLength(3)
  })
})

describe('an outgoing connection', () => {
  it.each(['127.0.0.1', 'localhost', '[::1]', '[::ffff:127.0.0.1]', '2130706433', '0x7f.1', '0.0.0.0'])(
    'to %s is refused and never made',
    async (host) => {
      await expect(ask(host, false)).rejects.toThrow(PrivateAddress)
      expect(asked).toEqual([])
    },
  )
  it('reaches this machine where loopback is allowed, but no other private address', async () => {
    expect(await ask('127.0.0.1', true)).toBe('here')
    expect(await ask('localhost', true)).toBe('here')
    await expect(ask('169.254.169.254', true)).rejects.toThrow(PrivateAddress)
    asked.length = 0
  })
})

describe('a name', () => {
  it.each(PRIVATE.slice(0, -1))('that resolves to %s is refused', async (address) => {
    expect(await found(resolving(address))).toBeInstanceOf(PrivateAddress)
    expect(await found(resolving(address), false, true)).toBeInstanceOf(PrivateAddress)
  })
  it('keeps its public addresses when it has both', async () => {
    expect(await found(resolving('10.0.0.7', '93.184.216.34'))).toBe('93.184.216.34')
    const both = resolving('10.0.0.7', '93.184.216.34', '::1')
    expect(await found(both, false, true)).toEqual([{ address: '93.184.216.34', family: 4 }])
  })
  it('may resolve to this machine where loopback is allowed', async () => {
    expect(await found(resolving('127.0.0.1'), true)).toBe('127.0.0.1')
    expect(await found(resolving('192.168.1.1'), true)).toBeInstanceOf(PrivateAddress)
  })
})
