// The contract of the municipal parameters port. The tests of each adapter run it against a system that they start.
import { describe, expect, it } from 'vitest'
import type { MunicipalParameters } from './municipal-parameters.ts'

export type MunicipalOffice = {
  port: MunicipalParameters
  /** One with an agreement, one without. */
  municipalities: { with: string; without: string }
  /** A code with a rate, and a code without. */
  codes: { with: string; without: string }
  competence: string
}

/** `officeOf` is called in each test, because the system exists only after `beforeAll`. */
export function municipalParametersContract(name: string, officeOf: () => MunicipalOffice): void {
  describe(`municipal parameters of ${name}`, () => {
    it('say whether an agreement is in force', async () => {
      const { port, municipalities, competence } = officeOf()
      const ask = (municipality: string) => port.ask({ municipality, service_code: '', competence })
      const nothing = { levied: null, rate: null, valid_from: null, valid_until: null }
      expect(await ask(municipalities.with)).toMatchObject({
        ...nothing,
        outcome: 'published',
        national_environment: true,
        national_issuer: true,
      })
      expect(await ask(municipalities.without)).toMatchObject({
        ...nothing,
        outcome: 'none',
        national_environment: null,
        message: expect.stringMatching(/./),
      })
    })
    it('say the rate of a code and its dates, and what was answered', async () => {
      const { port, municipalities, codes, competence } = officeOf()
      const ask = (service_code: string) => port.ask({ municipality: municipalities.with, service_code, competence })
      const known = await ask(codes.with)
      const day = expect.stringMatching(/^\d{4}-\d\d-\d\d$/)
      expect(known).toMatchObject({ outcome: 'published', levied: true, valid_from: day, valid_until: null })
      expect(known.rate).toMatch(/^\d{1,2}\.\d\d$/)
      expect((known.valid_from ?? '9') <= competence).toBe(true)
      expect(JSON.parse(known.raw)).toHaveProperty('mensagem')
      expect(await ask(codes.without)).toMatchObject({ outcome: 'none', rate: null, valid_from: null })
    })
    it('say that a question was refused', async () => {
      const { port, municipalities, codes } = officeOf()
      const question = { municipality: municipalities.with, service_code: codes.with, competence: 'today' }
      expect(await port.ask(question)).toMatchObject({ outcome: 'refused', rate: null, message: expect.anything() })
    })
  })
}
