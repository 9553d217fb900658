// The contract of the tax authority port. The tests of each adapter run it against an authority that they start.
import { describe, expect, it } from 'vitest'
import type { FiscalProfile } from './fiscal-profiles.ts'
import type { IssuedTaxInvoice, PreparedDeclaration, TaxAuthority, TaxDeclaration } from './tax-authority.ts'

export type TaxOffice = {
  authority: TaxAuthority
  /** One that the authority accepts, with an unused number. */
  declaration: () => TaxDeclaration
  now: Date
}

/** `officeOf` is called in each test, because the authority exists only after `beforeAll`. */
export function taxAuthorityContract(name: string, profile: FiscalProfile, officeOf: () => TaxOffice): void {
  const prepared = (authority: TaxAuthority, declaration: TaxDeclaration): Promise<PreparedDeclaration> =>
    authority.prepare(declaration, profile)

  async function issuedFor(authority: TaxAuthority, declaration: TaxDeclaration): Promise<IssuedTaxInvoice> {
    const answer = await authority.issue(await prepared(authority, declaration))
    if (answer.outcome !== 'issued') throw new Error(JSON.stringify(answer))
    return answer
  }

  describe(`tax invoices by ${name}`, () => {
    it('are prepared byte for byte the same when repeated', async () => {
      const { authority, ...office } = officeOf()
      const declaration = office.declaration()
      expect(await prepared(authority, declaration)).toEqual(await prepared(authority, declaration))
    })
    it('are issued, found by the declaration’s id, and matched with what was sent', async () => {
      const { authority, ...office } = officeOf()
      const sent = await prepared(authority, office.declaration())
      expect(await authority.find(sent.id)).toBeNull()
      const issued = await authority.issue(sent)
      expect(issued).toMatchObject({ outcome: 'issued', accessKey: expect.stringMatching(/^\w+$/) })
      const found = await authority.find(sent.id)
      expect(found).toEqual(issued)
      expect(found && (await authority.isOf(found, sent))).toBe(true)
      const other = await prepared(authority, { ...office.declaration(), amount: '9.99' })
      expect(found && (await authority.isOf(found, other))).toBe(false)
    })
    it('are issued once for the same declaration, repeated or at once', async () => {
      const { authority, ...office } = officeOf()
      const sent = await prepared(authority, office.declaration())
      const [one, other] = await Promise.all([authority.issue(sent), authority.issue(sent)])
      expect(one).toMatchObject({ outcome: 'issued' })
      expect(other).toEqual(one)
      expect(await authority.issue(sent)).toEqual(one)
    })
    it('are not issued for another declaration under a used number', async () => {
      const { authority, ...office } = officeOf()
      const declaration = office.declaration()
      await issuedFor(authority, declaration)
      const other = await prepared(authority, { ...declaration, amount: '9.99' })
      expect(await authority.issue(other)).not.toMatchObject({ outcome: 'issued' })
    })
    it('are cancelled, and again with the same result', async () => {
      const { authority, now: at, ...office } = officeOf()
      const declaration = office.declaration()
      const { accessKey } = await issuedFor(authority, declaration)
      const { provider } = declaration
      const request = { accessKey, provider, at, reason: 'Serviço não prestado ao cliente' }
      const first = await authority.cancel({ ...request, reasonCode: '2' })
      expect(first).toMatchObject({ outcome: 'cancelled' })
      expect(await authority.cancel({ ...request, reasonCode: '9' })).toEqual(first)
    })
  })
}
