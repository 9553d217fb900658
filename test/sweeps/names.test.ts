// The names of people, organizations, products and all else, derived from the routes.
import { describe, expect, it } from 'vitest'
import { routes } from '../../src/modules.ts'
import { appOfFile } from '#test/harness/app.ts'

type Shape = { type?: string | string[]; format?: string; enum?: unknown[] } & {
  properties?: Record<string, Shape>
  items?: Shape
  anyOf?: Shape[]
}

const NAME = /(^|_)(name|legalname|title)$/

/** Every field of a body whose property is a name, with its path. */
function namesIn(shape: Shape | undefined, path = ''): [string, Shape][] {
  if (!shape) return []
  const own = Object.entries(shape.properties ?? {}).flatMap(([name, inner]): [string, Shape][] =>
    NAME.test(name) && [inner.type].flat().includes('string') && !inner.enum
      ? [[`${path}${name}`, inner]]
      : namesIn(inner, `${path}${name}.`),
  )
  return [...own, ...namesIn(shape.items, path), ...(shape.anyOf ?? []).flatMap((one) => namesIn(one, path))]
}

const named = routes.flatMap(({ method, path, body }) =>
  namesIn(body).map(([field, shape]) => ({ about: `${method} ${path} ${field}`, shape })),
)

const app = await appOfFile()

describe('a name in a body', () => {
  it('must not contain invisible characters', () => {
    expect(named.map(({ about }) => about)).toEqual(
      expect.arrayContaining(['POST /auth/register name', 'POST /admin/products name', 'POST /tickets title']),
    )
    expect(named.length).toBeGreaterThan(25)
    expect(named.filter(({ shape }) => shape.format !== 'visible-text').map(({ about }) => about)).toEqual([])
  })
  it('422 names the field with a character that is invisible or changes the direction; texts of several lines may have them', async () => {
    const org = await app.world.organization()
    const hidden = 'Ana \u202etxt.exe'
    const person = { email: 'rtl@example.com', password: 'vento-Lilás 7', name: hidden }
    const line = { product_name: 'Backup\u200b', quantity: 1, unit_price: '1.00', entitlement_class: 'PLG' }
    const quote = { currency: 'BRL', valid_until: '2999-12-31', line_items: [line] }
    const refused = [
      [await app.world.anonymous.post('/auth/register', person), 'name'],
      [await org.owner.put('/auth/me', { name: hidden }), 'name'],
      [await org.owner.post('/organizations', { org_name: hidden }), 'org_name'],
      [await org.owner.put(`/organizations/${org.id}`, { legal_name: 'Acme\u200f' }), 'legal_name'],
      [await org.staff.post('/quotes', quote), 'line_items.0.product_name'],
      [await org.owner.post('/auth/api-keys', { name: hidden }), 'name'],
    ] as const
    for (const [{ status, errors }, field] of refused)
      expect([status, Object.keys(errors?.fields ?? {})]).toEqual([422, [field]])
    expect((await org.staff.post('/quotes', { ...quote, line_items: [{ ...line, product_name: '👩‍💻' }] })).status).toBe(
      201,
    )
    expect((await org.owner.put(`/organizations/${org.id}`, { notes: 'a\u200fb' })).status).toBe(200)
  })
})
