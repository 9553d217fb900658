// What we need of the federal registry of companies: whether a CNPJ is known and under which name.

export type RegistryAnswer =
  | { outcome: 'found'; legalName: string; status: 'active' | 'inactive' }
  /** Not in the registry's copy, which may be weeks old: no proof that the company does not exist. */
  | { outcome: 'not_found' }
  /** No answer in time, or none that we understand. */
  | { outcome: 'unavailable' }
  /** No registry is configured: only the check digits are known to be right. */
  | { outcome: 'not_asked' }

export interface CompanyRegistry {
  /** `cnpj`: 14 characters without mask, check digits already verified. Never throws for a failure of the registry. */
  find(cnpj: string): Promise<RegistryAnswer>
}
