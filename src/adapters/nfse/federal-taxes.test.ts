// The federal taxes of a declaration, and what is withheld of them, against the authority's own sums.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { FiscalProfile } from '#ports/fiscal-profiles.ts'
import type { TaxDeclaration } from '#ports/tax-authority.ts'
import {
  ABROAD,
  ALL_WITHHELD,
  declaration,
  EXPORTED,
  FEDERAL,
  PROFILE,
  WITHOUT_ADDRESS,
} from '#test/scenes/nfse-fixtures.ts'
import { faultsOf } from '#test/scenes/nfse-schemas.ts'
import { type NfseWorld, nfseWorld } from '#test/scenes/nfse-world.ts'

let world: NfseWorld
beforeAll(async () => void (world = await nfseWorld()))
afterAll(() => world.close())

const taxesOf = async (given: Partial<TaxDeclaration>, profile: FiscalProfile) => {
  const { xml } = await world.client().prepare(declaration(given), profile)
  expect(await faultsOf(xml, 'DPS')).toEqual([])
  return /<trib>.*<\/trib>/.exec(xml)?.[0].replace(/<totTrib>.*<\/totTrib>/, '') ?? ''
}
const prepared = (given: Partial<TaxDeclaration>) => world.client().prepare(declaration(given), PROFILE)
const only = (...taxes: string[]) => ALL_WITHHELD.filter(({ tax }) => taxes.includes(tax))

describe('the group tribFed', () => {
  it('has the provider’s own PIS/COFINS, and the three contributions that are withheld as one sum', async () => {
    expect(await taxesOf({ withheld: ALL_WITHHELD }, FEDERAL)).toBe(
      '<trib><tribMun><tribISSQN>1</tribISSQN><tpRetISSQN>2</tpRetISSQN><pAliq>2.90</pAliq></tribMun>' +
        '<tribFed><piscofins><CST>01</CST><vBCPisCofins>1234.50</vBCPisCofins><pAliqPis>0.65</pAliqPis>' +
        '<pAliqCofins>3.00</pAliqCofins><vPis>8.02</vPis><vCofins>37.04</vCofins>' +
        '<tpRetPisCofins>3</tpRetPisCofins></piscofins><vRetCP>135.80</vRetCP><vRetIRRF>18.52</vRetIRRF>' +
        '<vRetCSLL>57.41</vRetCSLL></tribFed></trib>',
    )
  })

  it.each([
    [[], '0'],
    [['pis', 'cofins', 'csll'], '3'],
    [['pis', 'cofins'], '4'],
    [['pis'], '5'],
    [['cofins'], '6'],
    [['cofins', 'csll'], '7'],
    [['csll'], '8'],
    [['pis', 'csll'], '9'],
  ])('of %j says by its code %s which contributions are withheld', async (taxes, code) => {
    expect(await taxesOf({ withheld: only(...taxes) }, FEDERAL)).toContain(`<tpRetPisCofins>${code}</tpRetPisCofins>`)
  })

  it('rounds half a cent of the provider’s own to the even one', async () => {
    expect(await taxesOf({ amount: '1.50' }, FEDERAL)).toContain('<vCofins>0.04</vCofins>')
    expect(await taxesOf({ amount: '2.50' }, FEDERAL)).toContain('<vCofins>0.08</vCofins>')
  })

  it('is left out where the profile names nothing, and of services abroad', async () => {
    expect(await taxesOf({}, PROFILE)).not.toContain('tribFed')
    const exported = { ...EXPORTED, federal: FEDERAL.federal ?? {} }
    expect(await taxesOf({ recipient: ABROAD }, exported)).not.toContain('tribFed')
  })

  it('cannot be declared without a situation of PIS/COFINS, nor ISS that is withheld without an address', async () => {
    await expect(prepared({ withheld: only('csll') })).rejects.toMatchObject({ problems: [{ code: 'PIS_COFINS' }] })
    const { problems } = await prepared({ withheld: only('iss'), recipient: WITHOUT_ADDRESS }).catch((error) => error)
    expect(problems).toContainEqual(expect.objectContaining({ code: 'RECIPIENT_ZIPCODE' }))
  })

  it('is what the sandbox subtracts of the net amount', async () => {
    const client = world.client()
    const issued = await client.issue(await client.prepare(declaration({ withheld: ALL_WITHHELD }), FEDERAL))
    if (issued.outcome !== 'issued') throw new Error(JSON.stringify(issued))
    expect(await faultsOf(issued.xml, 'NFSe')).toEqual([])
    expect(issued.xml).toContain('<vTotalRet>247.53</vTotalRet><vLiq>986.97</vLiq>')
  })
})
