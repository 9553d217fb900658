// Port: what municipalities publish for the declarations of tax invoices. One instance, for the legal entity in Brazil.
import type { ServiceCode } from './fiscal-profiles.ts'

export type MunicipalQuestion = {
  /** IBGE code, seven digits. */
  municipality: string
  /** Nine digits (`completeCode`); empty: the municipality's agreement with the national system. */
  service_code: string
  /** `YYYY-MM-DD` */
  competence: string
}

/** `none`: nothing is published, or no agreement is in force. `refused`: the question was not accepted. */
export const MUNICIPAL_OUTCOMES = ['published', 'none', 'refused'] as const

/** Null is what was not asked, or not said. */
export type MunicipalAnswer = {
  outcome: (typeof MUNICIPAL_OUTCOMES)[number]
  /**
   * Of an agreement: it takes part in the national data environment, and lets its companies issue by the national
   * system.
   */
  national_environment: boolean | null
  national_issuer: boolean | null
  /** Of a service code: whether ISS is levied on it, at which rate in percent, from when and until when (inclusive). */
  levied: boolean | null
  rate: string | null
  valid_from: string | null
  valid_until: string | null
  message: string | null
  /** The answer as it came. */
  raw: string
}

export interface MunicipalParameters {
  /** Throws TaxAuthorityUnavailable when no readable answer comes. */
  ask(question: MunicipalQuestion): Promise<MunicipalAnswer>
}

/** The code that municipalities publish rates for; `000` is where they have no code of their own. */
export const completeCode = ({ national, municipal = '000' }: ServiceCode): string => national + municipal
