// The reference page at /docs, whose "try it" calls the running service. Its script takes 39 MB and a fraction of a
// second, so it is loaded at its first visit, which the start would otherwise wait for. Its text is written from the
// routes: the document, which takes seconds to make, is asked for by the script.
import Fastify, { type FastifyInstance } from 'fastify'
import { onFirstUse } from '#kernel/values/on-first-use.ts'
import { tagAnswer } from '#http/features/entity-tag.ts'
import { zipAnswers } from '#http/pages/zip-answer.ts'
import { type AreaInReference, REFERENCE_POLICY, referencePage, SCRIPT_OF_REFERENCE } from '../../pages/reference.ts'
import { languageFrom } from '../../texts/language.ts'

export function reference(app: FastifyInstance, brand: string, areas: readonly AreaInReference[]): void {
  const options = { schema: { hide: true }, onSend: [tagAnswer, zipAnswers()] }
  for (const url of ['/docs', '/docs/'])
    app.get(url, options, (request, reply) => {
      const language = languageFrom(request.headers['accept-language'], 'en')
      return reply
        .type('text/html; charset=utf-8')
        .headers({ 'content-security-policy': REFERENCE_POLICY, 'cache-control': 'no-cache', vary: 'Accept-Language' })
        .send(referencePage({ language, brand }, areas))
    })
  app.get(SCRIPT_OF_REFERENCE, options, async (_request, reply) => {
    const text = await scriptOfReference()
    return reply.headers({ 'content-type': 'text/javascript; charset=utf-8', 'cache-control': 'no-cache' }).send(text)
  })
}

const scriptOfReference = onFirstUse(async (): Promise<string> => {
  const { default: scalar } = await import('@scalar/fastify-api-reference')
  const page = Fastify()
  await page.register(scalar, { routePrefix: '/docs', configuration: { url: '/openapi.json' } })
  const { payload } = await page.inject(SCRIPT_OF_REFERENCE)
  await page.close()
  return payload
})
