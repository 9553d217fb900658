// The console at /app: its page for each address in it, and the hashed files of the build (docs/decisions/0107).
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import files from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { AppError } from '#kernel/values/errors.ts'
import type { Config } from '#config/config.ts'
import { type DemoSignIns, mayUseDemo } from '#http/server/local-only.ts'
import type { SendPage } from '#http/openapi/public-api.ts'
import type { PageKind } from '../../pages/document.ts'
import { consolePage, type DemoPerson, unbuiltConsolePage } from '../../pages/console.ts'

type Options = {
  config: Config
  sendAs: (kind: PageKind) => SendPage
  /** Of the build. */
  directory: string
  demo: DemoSignIns & { people: readonly DemoPerson[] }
}

const hidden = { schema: { hide: true } as object }

export async function consolePages(app: FastifyInstance, { directory, demo, config, sendAs }: Options): Promise<void> {
  const index = join(directory, 'index.html')
  if (!existsSync(index)) app.log.warn('the console is not built: `npm ci` with development tools, or bring its dist')
  // By its query alone: the path may be written otherwise, as `/%61pp`.
  app.get('/app', hidden, (request, reply) => reply.redirect(`/app/${/\?.*$/s.exec(request.url)?.[0] ?? ''}`))
  app.get('/app/*', hidden, async (request, reply) => {
    // Addresses of the console have no dot in their last part.
    if (/\.[^/]*$/.test(request.url.replace(/[?#].*$/, ''))) throw new AppError('NOT_FOUND')
    // Read anew, so that a build counts at once.
    const html = await readFile(index, 'utf8').catch(() => null)
    if (html === null) return sendAs('page')(request, reply.code(404), unbuiltConsolePage)
    const people = demo.people.filter(({ email }) => mayUseDemo({ config, demo }, request, email))
    const offered = { password: demo.password, people }
    return sendAs('console')(request, reply, (context) => consolePage(context, { html, demo: offered }))
  })
  await app.register(files, {
    root: join(directory, 'assets'),
    prefix: '/app/assets/',
    index: false,
    dotfiles: 'ignore',
    preCompressed: true,
    maxAge: '365d',
    immutable: true,
    decorateReply: false,
    // Of a folder that is not there: said above.
    suppressWarning: true,
  })
}
