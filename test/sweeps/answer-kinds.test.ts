// Each kind of answer has its own security headers. Answers of the API are checked in every test
// (test/harness/contract.ts); here are all other addresses that the server has.
import { describe, expect, it } from 'vitest'
import { SECURITY_HEADERS, securityHeadersIn } from '#test/harness/answer-headers.ts'
import { appOfFile } from '#test/harness/app.ts'

const app = await appOfFile({ environment: { PUBLIC_URL: 'https://account.example.com' } })
const addresses: string[] = addressesIn(app.service.app.printRoutes({ commonPrefix: false }))

/** The paths of all GET routes outside of the API, from the tree that the router prints: four characters a level. */
function addressesIn(tree: string): string[] {
  const above: string[] = []
  return tree.split('\n').flatMap((line) => {
    const [, indent = '', segment = '', methods = ''] = /^([│└├─ ]*)(\S+) \(([A-Z, ]+)\)$/.exec(line) ?? []
    above.splice(indent.length / 4 - 1, Infinity, segment)
    const path = above.join('')
    const isOutside = methods.split(', ').includes('GET') && !path.startsWith('/api/v1')
    return isOutside ? [path.replace(/:\w+/, 'x').replace(/\/?\*$/, '/')] : []
  })
}

const answerOf = (url: string) =>
  app.service.app.inject({ url, headers: { host: 'localhost', accept: 'text/html, */*' } })

describe('security headers', () => {
  it('of pages speak of documents, of all other answers only of data', async () => {
    expect(addresses).toEqual(
      expect.arrayContaining(['/', '/docs/', '/healthz', '/mail/x', '/openapi.json', '/quotes/x']),
    )
    const pages: string[] = []
    for (const address of addresses) {
      const { headers } = await answerOf(address)
      const isPage = String(headers['content-type']).startsWith('text/html')
      if (isPage) pages.push(address)
      expect([address, securityHeadersIn(headers)]).toEqual([address, SECURITY_HEADERS[isPage ? 'document' : 'data']])
      expect(headers['strict-transport-security'], address).toMatch(/^max-age=\d{8}/)
    }
    expect(pages).toEqual(
      expect.arrayContaining(['/', '/docs/', '/docs/errors', '/mail', '/quotes/x', '/verify-account']),
    )
  })
  it('of a page let no other site frame it', async () => {
    for (const address of ['/', '/docs/', '/mail', '/quotes/x'])
      expect((await answerOf(address)).headers['content-security-policy']).toContain("frame-ancestors 'none'")
  })
})
