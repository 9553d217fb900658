// The contract of the port for postal codes. The tests of each adapter run it against a source that they start.
import { describe, expect, it } from 'vitest'
import type { PostalCodeAnswer, PostalCodes } from './postal-codes.ts'

/** What the source at the other end does with the code. */
export type CodeSituation = 'knows it' | 'knows its town' | 'does not know it' | 'is away'

const PLACE = { outcome: 'found', city: 'São Paulo', state: 'SP' } as const
const ANSWERS: Record<CodeSituation, PostalCodeAnswer> = {
  'knows it': { ...PLACE, street: 'Avenida Paulista', neighborhood: 'Bela Vista' },
  'knows its town': { ...PLACE, street: null, neighborhood: null },
  'does not know it': { outcome: 'not_found' },
  'is away': { outcome: 'unavailable' },
}

/** `isAsked`: whether the adapter asks anybody at all. */
export function postalCodesContract(
  name: string,
  isAsked: boolean,
  open: (situation: CodeSituation, zipcode: string) => Promise<PostalCodes>,
): void {
  describe(`postal codes ${name}`, () => {
    it.each<CodeSituation>(['knows it', 'knows its town', 'does not know it', 'is away'])(
      'gives an answer and no error when the source %s',
      async (situation) => {
        const zipcode = '01310100'
        const codes = await open(situation, zipcode)
        const answer = isAsked ? ANSWERS[situation] : { outcome: 'not_asked' }
        expect(await codes.find(zipcode)).toEqual(answer)
        expect(await codes.find(zipcode)).toEqual(answer)
      },
    )
  })
}
