// Events as they happen: on the screen, and handed on to an address of this machine.
import { createServer, type IncomingMessage } from 'node:http'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { verifyWebhook } from '@titular/sdk'
import { appOfFile } from '../../../test/harness/app.ts'
import { until } from '../../../test/harness/until.ts'
import { sentQuote } from '../../../test/scenes/commerce.ts'
import { as } from './caller.ts'
import { type Child, home, start, titular } from './program.ts'

const app = await appOfFile({ listens: true })

const linesOf = (text_: string): { type: string; sequence: number }[] =>
  text_.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]))

const countOf = (child: Child, count: number) =>
  until(
    () => linesOf(child.out()),
    (lines) => lines.length >= count,
    child.err,
  )

describe('titular events list --watch', () => {
  it('writes a line for each event that comes, and goes on from the last one the next time', async () => {
    const org = await app.world.organization()
    const env = { ...as(app, org.owner, org), ...home() }
    await sentQuote(org)
    const args = ['events', 'list', '--watch', '--resume', '--type', 'quote.*']
    const first = await start([...args, '--after', '0'], env)
    await countOf(first, 1)
    const id = await sentQuote(org)
    const lines = await countOf(first, 2)
    expect(lines).toMatchObject([{ type: 'quote.sent' }, { type: 'quote.sent', resource_id: id }])
    first.child.kill('SIGINT')
    expect(await first.ended).toMatchObject({ code: 0, err: '' })
    await org.owner.get(`/quotes/${id}`)
    const second = await start(args, env)
    const more = await countOf(second, 1)
    expect(more.map(({ type }) => type)).toEqual(['quote.viewed'])
    second.child.kill('SIGINT')
    expect((await second.ended).code).toBe(0)
  })
  it('says where it was without --resume, and fails where there is nothing to wait for', async () => {
    const org = await app.world.organization()
    const env = { ...as(app, org.owner, org), ...home() }
    await sentQuote(org)
    const child = await start(['events', 'list', '--watch', '--after', '0', '--type', 'quote.sent'], env)
    const [event] = await countOf(child, 1)
    child.child.kill('SIGINT')
    expect((await child.ended).err).toMatch(new RegExp(`--after \\d+ goes on from there`))
    expect(event?.type).toBe('quote.sent')
    expect((await titular(['quotes', 'list', '--watch'], env)).code).toBe(2)
    expect((await titular(['events', 'list', '--watch', '--after', '999999'], env)).code).toBe(7)
  })
})

/** What a developer has on their machine. */
async function receiver(status: () => number) {
  const got: { request: IncomingMessage; body: string }[] = []
  const server = createServer((request, response) => {
    const take = async (): Promise<void> => {
      got.push({ request, body: await text(request) })
      response.writeHead(status(), { location: '/elsewhere' }).end()
    }
    void take()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/hook`
  return { url, got, close: () => server.close().closeAllConnections() }
}

describe('titular listen', () => {
  it('waits for no body of an answer, however long', async () => {
    const org = await app.world.organization()
    const env = { ...as(app, org.owner, org), ...home() }
    await sentQuote(org)
    const hook = createServer((_, response) => void response.writeHead(200).write('and so on')).listen(0, '127.0.0.1')
    await once(hook, 'listening')
    const address = hook.address()
    const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/`
    // More types than a name of a file can hold.
    const types = ['quote.sent', ...Array.from({ length: 20 }, () => 'tax_invoice.substituting')].join()
    const child = await start(['listen', '--forward', url, '--after', '0', '--resume', `--type=${types},q*`], env)
    await until(() => child.out().includes('\n'), Boolean, child.err)
    expect(child.out()).toMatch(/quote\.sent .*→ 200/)
    child.child.kill('SIGTERM')
    expect(await child.ended).toMatchObject({ code: 0 })
    hook.close().closeAllConnections()
  })
  it('hands events on as the service sends them, signed, and shows each answer', async () => {
    const org = await app.world.organization()
    const env = { ...as(app, org.owner, org), ...home() }
    const id = await sentQuote(org)
    await org.owner.get(`/quotes/${id}`)
    const statuses = [204, 302]
    const hook = await receiver(() => statuses.shift() ?? 500)
    const child = await start(['listen', '--forward', hook.url, '--type', 'quote.*', '--after', '0'], env)
    await until(
      () => child.out().split('\n').length,
      (count) => count > 2,
      child.err,
    )
    const [, secret = ''] = /(whsec_\S+)/.exec(child.err()) ?? []
    expect(child.out()).toMatch(/quote\.sent +\d+ +→ 204 No Content\n.*quote\.viewed +\d+ +→ 302/)
    expect(hook.got).toHaveLength(2)
    for (const { request, body } of hook.got) {
      const { event } = await verifyWebhook({ headers: request.headers, body }, { secret })
      const { data } = await org.owner.get(`/events?type=${event.type}`)
      expect([event]).toEqual(data.events)
      expect(request.headers['webhook-id']).toBe(`msg_${event.id}`)
    }
    child.child.kill('SIGINT')
    expect(await child.ended).toMatchObject({ code: 0 })
    hook.close()
  })
  it('signs with a secret of one’s own, and goes on where nobody answers', async () => {
    const org = await app.world.organization()
    const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
    const env = { ...as(app, org.owner, org), ...home(), TITULAR_WEBHOOK_SECRET: secret }
    await sentQuote(org)
    const hook = await receiver(() => 200)
    hook.close()
    const child = await start(['listen', '--forward', 'http://127.0.0.1:1/', '--after', '0', '--type=quote.sent'], env)
    await until(() => child.out().includes('\n'), Boolean, child.err)
    expect(child.out()).toMatch(/quote\.sent .*→ (?!\d)/)
    // Nobody needs to be told what they gave, and the output may be a log.
    expect(child.err()).not.toContain(secret)
    child.child.kill('SIGTERM')
    expect((await child.ended).code).toBe(0)
    const short = { ...env, TITULAR_WEBHOOK_SECRET: 'whsec_c2hvcnQ=' }
    expect((await titular(['listen', '--forward', 'http://127.0.0.1:1'], short)).code).toBe(2)
  })
})
