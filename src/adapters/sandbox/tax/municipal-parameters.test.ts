// The municipal parameters of the sandbox in the running service, over its own HTTP, and what staff see of them.
import { expect, it } from 'vitest'
import { municipalParametersContract } from '#ports/municipal-parameters.contract.ts'
import { appOfFile } from '#test/harness/app.ts'

const app = await appOfFile({ listens: true })

const at = (path: string, method = 'GET') => fetch(`${app.url}/sandbox/tax/parametrizacao${path}`, { method })

municipalParametersContract('the sandbox', () => {
  const port = app.service.ports.municipalParameters
  if (!port) throw new Error('no municipal parameters')
  return {
    port,
    municipalities: { with: '3550308', without: '9999999' },
    codes: { with: '010701000', without: '010701001' },
    competence: '2026-11-20',
  }
})

it('fit the example profile: nothing is found', async () => {
  const administrator = await app.world.user({ roles: ['customer', 'administrator'] })
  const { status, data } = await administrator.post('/admin/municipal-parameters/ask')
  expect([status, data.findings]).toEqual([200, []])
  const rates = data.services.map((one: { service_code: string; parameters: { rate: string } | null }) => [
    one.service_code,
    one.parameters?.rate,
  ])
  expect(rates).toEqual([
    ['010301000', '2.90'],
    ['010501000', '2.90'],
    ['010701000', '2.90'],
    ['080201000', '5.00'],
  ])
})
it('answers no other path or method', async () => {
  for (const path of ['/', '/3550308', '/355030/convenio', '/3550308/aliquota', '/3550308/x/y/convenio'])
    expect((await at(path)).status, path).toBe(404)
  expect((await at('/3550308/convenio', 'POST')).status).toBe(405)
  expect((await at('/3550308/010701000/2026-11-20/aliquota')).status, 'without dots').toBe(400)
})
