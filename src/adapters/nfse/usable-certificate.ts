// A certificate for one request: without a valid one nothing is sent.
import { TaxAuthorityUnavailable } from '#ports/tax-authority.ts'
import { assertInTime, type Certificate } from './certificate.ts'

export function usable(certificate: Certificate, now: Date): Certificate {
  try {
    assertInTime(certificate, now)
  } catch (cause) {
    throw new TaxAuthorityUnavailable(`The certificate ${cause instanceof Error ? cause.message : ''}`, { cause })
  }
  return certificate
}
