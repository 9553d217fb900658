// The parts that each operation on the authority needs; `createNfse` creates them once.
import type { Certificate } from './certificate.ts'
import type { AuthorityHttp } from './http.ts'
import type { Paths } from './paths.ts'

export type Authority = {
  paths: Paths
  /** 1 production, 2 restricted production. */
  environment: '1' | '2'
  application: string
  http: AuthorityHttp
  certificate(): Promise<Certificate>
  /** Signs the element of this name. */
  sign(xml: string, element: string, certificate: Certificate): string
}
