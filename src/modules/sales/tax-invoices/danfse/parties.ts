// The parties on a DANFSe: provider, taker, intermediary.
import type { Xml } from '#kernel/values/text/xml.ts'
import type { FormSection } from '#ports/documents.ts'
import { formatCnpj } from '#ports/cnpj.ts'
import { cell, code, joined } from './cells.ts'
import { NO_TAX_ID, SIMPLES, SIMPLES_REGIME, SPECIAL_REGIME } from './codes.ts'

type Party = {
  person: Xml
  address: Xml
  /** The municipality's name, where the XML has it; else its code is shown. */
  place: string | null
  regime?: Xml
}

export function partyOf(title: string, party: Party, { regime = false } = {}): FormSection {
  const { person, address, place } = party
  const abroad = address.at('endExt')
  const rows = [
    [
      cell('CNPJ / CPF / NIF', inscriptionOf(person)),
      cell('Inscrição municipal', person.text('IM')),
      cell('Telefone', person.text('fone')),
      cell('E-mail', person.text('email')),
    ],
    [cell('Nome / Nome empresarial', person.text('xNome'), 2), cell('Endereço', streetOf(address), 2)],
    [
      cell(
        'Município',
        place ??
          joined(' - ', abroad.text('xCidade'), abroad.text('xEstProvReg')) ??
          codeOf(address.text('endNac.cMun') ?? address.text('cMun')),
      ),
      cell('CEP', postcodeOf(address.text('endNac.CEP') ?? address.text('CEP')) ?? abroad.text('cEndPost')),
      cell('País', abroad.text('cPais')),
      cell('Nome fantasia', person.text('xFant')),
    ],
  ]
  return { title, rows: regime && party.regime ? [...rows, regimeOf(party.regime)] : rows }
}

export const noParty = (title: string): FormSection => ({ title: `${title} NÃO IDENTIFICADO NA NFS-e`, rows: [] })

const regimeOf = (regime: Xml) => [
  cell('Simples Nacional na data de competência', code(SIMPLES, regime.text('opSimpNac')), 2),
  cell('Regime de apuração pelo SN', code(SIMPLES_REGIME, regime.text('regApTribSN'))),
  cell('Regime especial de tributação', code(SPECIAL_REGIME, regime.text('regEspTrib'))),
]

function inscriptionOf(person: Xml): string | null {
  const cnpj = person.text('CNPJ')
  const cpf = person.text('CPF')?.replace(/^(\d{3})(\d{3})(\d{3})(\d{2})$/, '$1.$2.$3-$4')
  return (cnpj && formatCnpj(cnpj)) ?? cpf ?? person.text('NIF') ?? code(NO_TAX_ID, person.text('cNaoNIF'))
}

const streetOf = (address: Xml): string | null =>
  joined(', ', address.text('xLgr'), address.text('nro'), address.text('xCpl'), address.text('xBairro'))

const postcodeOf = (postcode: string | null): string | null =>
  postcode === null ? null : postcode.replace(/^(\d{5})(\d{3})$/, '$1-$2')

const codeOf = (municipality: string | null): string | null => (municipality === null ? null : `IBGE ${municipality}`)
