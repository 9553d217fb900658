// What every company registry must do for us. The tests of each adapter run it, on registries that they bring.
import { describe, expect, it } from 'vitest'
import type { CompanyRegistry } from './company-registry.ts'

/** How the registry at the other end stands to the company that is asked about. */
export type RegistrySituation = 'knows it' | 'does not know it' | 'is away'

const OUTCOMES: Record<RegistrySituation, string> = {
  'knows it': 'found',
  'does not know it': 'not_found',
  'is away': 'unavailable',
}

/** `isAsked`: whether there is a registry at all. */
export function companyRegistryContract(
  name: string,
  isAsked: boolean,
  open: (situation: RegistrySituation, cnpj: string) => Promise<CompanyRegistry>,
): void {
  describe(`companies, asked of ${name}`, () => {
    it.each<RegistrySituation>(['knows it', 'does not know it', 'is away'])(
      'have an answer and no error when the registry %s',
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
