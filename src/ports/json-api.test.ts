// A JSON API that stays silent: after ten calls it is left alone, so that jobs do not wait for it one after another.
import { expect, it } from 'vitest'
import { listen } from '#test/harness/listen.ts'
import { jsonApi, NoAnswer } from './json-api.ts'

it('does not ask a system again that has not answered ten times; a refusal is an answer', async () => {
  let calls = 0
  let isSilent = false
  const { url, close } = await listen((request, response) => {
    calls++
    if (isSilent) request.socket.destroy()
    else response.writeHead(503).end('not json')
  })
  const api = jsonApi({ baseUrl: url, headers: {} })
  for (let count = 0; count < 12; count++)
    expect(await api.send('GET', '/')).toMatchObject({ status: 503, body: undefined })
  isSilent = true
  for (let count = 0; count < 14; count++) await expect(api.send('GET', '/')).rejects.toThrow(NoAnswer)
  expect(calls).toBe(22)
  await api.close()
  await close()
})
