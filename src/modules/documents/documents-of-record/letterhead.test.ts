// The legal entity's CNPJ on a document has its mask, however the setting is written.
import { expect, it } from 'vitest'
import { startApp } from '#test/harness/app.ts'
import { sentQuote } from '#test/scenes/commerce.ts'
import { textOn } from '#test/harness/pdf-text.ts'

it.each([
  ['11222333000181', 'CNPJ 11.222.333/0001-81'],
  ['11.222.333/0001-81', 'CNPJ 11.222.333/0001-81'],
  ['12abc34501de35', 'CNPJ 12.ABC.345/01DE-35'],
  ['not a number', 'CNPJ not a number'],
])('%s is rendered as %s', async (ENTITY_BR_TAX_ID, rendered) => {
  const app = await startApp({ environment: { ENTITY_BR_TAX_ID } })
  const acme = await app.world.organization()
  const { data } = await acme.staff.get(`/quotes/${await sentQuote(acme)}/pdf`)
  expect(textOn(data).join('\n').split('\n')).toContain(rendered)
  await app.close()
})
