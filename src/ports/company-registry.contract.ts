// The contract of the company registry port. The tests of each adapter run it against a registry that they start.
import { describe, expect, it } from 'vitest'
import type { CompanyRegistry } from './company-registry.ts'

/** What the registry at the other end does with the CNPJ. */
export type RegistrySituation = 'knows it' | 'does not know it' | 'is away'

const OUTCOMES: Record<RegistrySituation, string> = {
  'knows it': 'found',
  'does not know it': 'not_found',
  'is away': 'unavailable',
}

/** `isAsked`: whether the adapter calls a registry at all. */
export function companyRegistryContract(
  name: string,
  isAsked: boolean,
  open: (situation: RegistrySituation, cnpj: string) => Promise<CompanyRegistry>,
): void {
  describe(`company registry ${name}`, () => {
    it.each<RegistrySituation>(['knows it', 'does not know it', 'is away'])(
      'gives an answer and no error when the registry %s',
      async (situation) => {
        const cnpj = '12ABC34501DE35'
        const registry = await open(situation, cnpj)
        const outcome = isAsked ? OUTCOMES[situation] : 'not_asked'
        expect(await registry.find(cnpj)).toMatchObject({ outcome })
        expect(await registry.find(cnpj)).toMatchObject({ outcome })
      },
    )
  })
}
