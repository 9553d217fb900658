// The federal registry of companies through BrasilAPI; Minha Receita's address works as a second one. A source that
// answers 400 does not know CNPJs with letters.

import { Type } from 'typebox'
import { Value } from 'typebox/value'
import { storable } from '#kernel/values/text/text.ts'
import type { CompanyRegistry, RegistryAnswer } from '#ports/company-registry.ts'
import { createLookup, LineOf, type LookupOptions } from './lookup.ts'

const ACTIVE = 2

// Answers contain the partners' names (`qsa`), too; only these fields are read.
const Company = Type.Object({
  cnpj: Type.String(),
  razao_social: LineOf(1, 300),
  situacao_cadastral: Type.Integer(),
})

type FoundCompany = Extract<RegistryAnswer, { outcome: 'found' }>

export const createBrasilapi = (options: LookupOptions): CompanyRegistry & { close(): Promise<void> } =>
  createLookup(options, companyIn)

function companyIn(body: unknown, cnpj: string): FoundCompany | null {
  if (!Value.Check(Company, body) || body.cnpj.replace(/[./-]/g, '') !== cnpj) return null
  return {
    outcome: 'found',
    legalName: storable(body.razao_social).trim(),
    status: body.situacao_cadastral === ACTIVE ? 'active' : 'inactive',
  }
}
