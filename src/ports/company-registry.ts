// Port: the federal registry of companies, which knows whether a CNPJ exists and its legal name.

export type RegistryAnswer =
  | { outcome: 'found'; legalName: string; status: 'active' | 'inactive' }
  /** Not in the registry's copy, which may be weeks old: no proof that the company does not exist. */
  | { outcome: 'not_found' }
  /** No answer in time, or one that cannot be read. */
  | { outcome: 'unavailable' }
  /** No registry is configured: only the check digits were verified. */
  | { outcome: 'not_asked' }

export interface CompanyRegistry {
  /** `cnpj`: 14 characters without mask, check digits already verified. Never throws for a failure of the registry. */
  find(cnpj: string): Promise<RegistryAnswer>
}
