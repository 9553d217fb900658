// What answers say is in the caller’s language; the codes of refusals are the same in each.
import { describe, expect, it } from 'vitest'
import { appOfFile } from '#test/harness/app.ts'

const app = await appOfFile()
const org = await app.world.organization()

const IN_PORTUGUESE = { 'accept-language': 'pt-BR,pt;q=0.9' }

describe('Accept-Language', () => {
  it('422: each field has its sentence in Portuguese, and the same code as in English', async () => {
    const wrong = { title: '', description: 7, priority: 'soon', sla: 'x' }
    const english = await org.owner.post('/tickets', wrong)
    const portuguese = await org.owner.post('/tickets', wrong, IN_PORTUGUESE)
    expect(english.errors?.fields).toEqual({
      title: 'must not be empty',
      description: 'must be a text or null',
      priority: 'must be one of low, normal, high, urgent',
      sla: 'unknown field',
    })
    expect(portuguese.errors?.fields).toEqual({
      title: 'não pode ficar vazio',
      description: 'deve ser um texto ou null',
      priority: 'deve ser um destes valores: low, normal, high, urgent',
      sla: 'campo desconhecido',
    })
    const codes = { title: 'too_short', description: 'wrong_type', priority: 'not_in_list', sla: 'unknown_field' }
    expect(english.errors?.field_codes).toEqual(codes)
    expect(portuguese.errors?.field_codes).toEqual(codes)
    expect(portuguese).toMatchObject({ message: 'Os dados não são válidos', errors: { code: 'VALIDATION_ERROR' } })
    expect(portuguese.headers['content-language']).toBe('pt-BR')
    expect(english.headers['content-language']).toBe('en')
  })

  it('404 names the kind of record; 401 and an unknown path have a sentence too', async () => {
    const missing = await org.owner.get('/quotes/999999', IN_PORTUGUESE)
    expect(missing.message).toBe('Não encontrado: orçamento')
    const anonymous = await app.world.anonymous.get('/quotes', IN_PORTUGUESE)
    expect(anonymous.message).toBe('A autenticação está ausente, é inválida ou terminou')
    const nowhere = await org.owner.get('/nowhere', IN_PORTUGUESE)
    expect(nowhere.message).toBe('Não encontrado')
  })

  it('a language that there is not is English', async () => {
    const missing = await org.owner.get('/quotes/999999', { 'accept-language': 'de, fr;q=0.5' })
    expect(missing.message).toBe('Quote not found')
    expect(missing.headers['content-language']).toBe('en')
  })

  it('counts for what was done, also where the answer is repeated', async () => {
    const key = { 'idempotency-key': 'said-once' }
    const done = await org.staff.post('/tickets', { title: 'Slow' }, { ...IN_PORTUGUESE, ...key })
    expect([done.message, done.headers['content-language']]).toEqual(['Chamado aberto', 'pt-BR'])
    const repeated = await org.staff.post('/tickets', { title: 'Slow' }, key)
    expect([repeated.message, repeated.headers['content-language']]).toEqual(['Ticket opened', 'en'])
    expect(repeated.data).toEqual(done.data)
    const read = await org.owner.get('/tickets', IN_PORTUGUESE)
    expect(read.headers['content-language']).toBeUndefined()
  })

  it('counts for the operations of a bulk', async () => {
    const operations = [
      { method: 'PATCH', path: '/contracts/1', body: { colour: 'blue' } },
      { method: 'POST', path: '/nowhere' },
    ]
    const { data } = await org.staff.post('/bulk', { operations }, IN_PORTUGUESE)
    expect(data.results[0].body.errors).toMatchObject({
      fields: { 'operations.0.colour': 'campo desconhecido' },
      field_codes: { 'operations.0.colour': 'unknown_field' },
    })
    expect(data.results[1].body.message).toBe('Não há essa operação em lote')
  })
})
