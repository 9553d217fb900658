// An organization in Brazil that keeps taxes back, and the fiscal profile whose rates it uses.
import type { FiscalProfile } from '#ports/fiscal-profiles.ts'
import type { Answer, Organization, Speaker } from '#test/harness/world.ts'
import { buyerOf } from './commerce.ts'
import { type TaxScene, taxScene } from './tax-scene.ts'
import { PROFILE } from '#test/stand-ins/tax-authority.ts'

const own = { pis_cofins: { situation: '01', pis: '0.65', cofins: '3.00' } }

/** 6.15 % of licenses, 17.15 % of what ORD is declared as, nothing federal of hosting. ISS as in the other profile. */
export const WITHHOLDING: FiscalProfile = {
  ...PROFILE,
  services: {
    ...PROFILE.services,
    ORD: { national: '010701', iss_rate: '2.90' },
    EDU: { national: '080201' },
  },
  federal: {
    default: { ...own, withheld: { irrf: '1.50', pis: '0.65', cofins: '3.00', csll: '1.00' } },
    '010701': { ...own, withheld: { irrf: '1.50', pis: '0.65', cofins: '3.00', csll: '1.00', inss: '11.00' } },
    '010301': own,
  },
}

export const FEDERAL = ['irrf', 'pis', 'cofins', 'csll'] as const

export type WithholdingScene = {
  at: TaxScene
  acme: Organization
  buyer: Speaker
  keepBack(body: object): Promise<Answer>
  act(id: number, name: string, body?: object): Promise<Answer>
  /** An open invoice of the legal entity in Brazil; lines that bill no entitlement are of the class ORD. */
  write(total: string, body?: object): Promise<Answer['data']>
  entitlement(kind: string): Promise<Answer['data']>
}

export async function withholdingScene(more: Record<string, string> = {}): Promise<WithholdingScene> {
  const at = await taxScene({ ENTITY_BR_PAYMENTS: 'offline', ...more })
  at.authority.profile = WITHHOLDING
  const acme = await at.app.world.organization()
  return {
    at,
    acme,
    buyer: await buyerOf(acme),
    keepBack: (body) => acme.staff.put('/tax-withholding', body),
    act: (id, name, body = {}) => acme.staff.post(`/invoices/${id}/${name}`, body),
    async write(total, body = {}) {
      const line_items = [{ product_name: 'Suporte “Pró” 🚀', quantity: 1, unit_price: total }]
      const invoice = { currency: 'BRL', company: 'entity_br', line_items, status: 'open', ...body }
      return (await acme.staff.post('/invoices', invoice)).data
    },
    async entitlement(kind) {
      const body = { class: kind, product_name: kind, organization_id: acme.id, company: 'entity_br' }
      return (await acme.staff.post('/entitlements', body)).data
    },
  }
}

export const lineOf = (code: string | null, unit_price: string) => ({
  product_name: 'Line',
  quantity: 1,
  unit_price,
  entitlement_code: code,
})
