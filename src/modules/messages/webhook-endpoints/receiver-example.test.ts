// The lines that docs/webhooks.md gives receivers: they take what is signed, and refuse the rest without an exception.
import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { standardHeaders, standardSecret } from '#ports/standard-webhooks.ts'

const SECRET = standardSecret(Buffer.alloc(32, 7))
const OLD = standardSecret(Buffer.alloc(32, 8))
const BODY = '{"type":"quote.paid","data":{"notes":"Olá 😀"}}'

it('verify a delivery, also during a rotation, and nothing else', async () => {
  const text = await readFile(new URL('../../../../docs/webhooks.md', import.meta.url), 'utf8')
  const [, code = ''] = /```js\n([\s\S]*?)```/.exec(text) ?? []
  const { isFromTitular } = (await import(`data:text/javascript,${encodeURIComponent(code)}`)) as {
    isFromTitular: (secret: string, headers: object, body: string) => boolean
  }
  const now = Date.now()
  const good = standardHeaders([OLD, SECRET], 'msg_1', BODY, new Date(now))
  expect(isFromTitular(SECRET, good, BODY)).toBe(true)
  expect(isFromTitular(SECRET, good, `${BODY} `)).toBe(false)
  expect(isFromTitular(standardSecret(Buffer.alloc(32, 9)), good, BODY)).toBe(false)
  expect(isFromTitular(SECRET, standardHeaders([SECRET], 'msg_1', BODY, new Date(now - 301_000)), BODY)).toBe(false)
  const signature = good['webhook-signature']
  for (const other of [{}, { ...good, 'webhook-signature': signature.replaceAll(/[A-Za-z]/g, 'é') }])
    expect(isFromTitular(SECRET, other, BODY)).toBe(false)
  expect(isFromTitular(SECRET, { ...good, 'webhook-timestamp': 'now' }, BODY)).toBe(false)
})
