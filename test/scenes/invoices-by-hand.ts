// An organization whose invoices staff write by hand.
import { startApp } from '#test/harness/app.ts'
import type { Answer } from '#test/harness/world.ts'
import { buyerOf } from './commerce.ts'

export const LINES = [
  { product_name: 'Migração “Pro” 🚀 مرحبا', quantity: 3, unit_price: '50.00' },
  { product_name: 'Travel', quantity: 1, unit_price: '10.50', description: 'By train' },
]

export type HandScene = Awaited<ReturnType<typeof handScene>>

export async function handScene() {
  const app = await startApp({ listens: true })
  const acme = await app.world.organization()
  return {
    app,
    acme,
    buyer: await buyerOf(acme),
    write: (body: object = {}): Promise<Answer> =>
      acme.staff.post('/invoices', { currency: 'BRL', company: 'entity_br', line_items: LINES, ...body }),
    act: (id: number, name: string, body?: object) => acme.staff.post(`/invoices/${id}/${name}`, body),
  }
}
