// The sections of a DANFSe about the service and its taxes.
import type { Xml } from '#kernel/values/text/xml.ts'
import type { Cell, FormSection } from '#ports/documents.ts'
import { cell, code, joined, money, rate } from './cells.ts'
import { BENEFIT, IMMUNITY, ISSQN, ISSQN_RETAINED, SOCIAL_RETAINED, SUSPENDED } from './codes.ts'

export function serviceOf(note: Xml, dps: Xml): FormSection {
  const service = dps.at('serv.cServ')
  const national = service.text('cTribNac')?.replace(/^(\d\d)(\d\d)(\d\d)$/, '$1.$2.$3') ?? null
  return {
    title: 'SERVIÇO PRESTADO',
    rows: [
      [
        cell('Código de tributação nacional', joined(' - ', national, note.text('xTribNac')), 2),
        cell('Código de tributação municipal', joined(' - ', service.text('cTribMun'), note.text('xTribMun')), 2),
      ],
      [
        cell('Código da NBS', service.text('cNBS')),
        cell('Código interno do contribuinte', service.text('cIntContrib')),
        cell('Local da prestação', note.text('xLocPrestacao')),
        cell('País da prestação', dps.text('serv.locPrest.cPaisPrestacao')),
      ],
      [{ ...cell('Descrição do serviço', service.text('xDescServ'), 4), grows: true }],
    ],
  }
}

export function municipalOf(note: Xml, dps: Xml): FormSection {
  const tax = dps.at('valores.trib.tribMun')
  const values = note.at('valores')
  const place = joined(' - ', note.text('cLocIncid'), note.text('xLocIncid'))
  return {
    title: 'TRIBUTAÇÃO MUNICIPAL (ISSQN)',
    rows: [
      [
        cell('Tributação do ISSQN', code(ISSQN, tax.text('tribISSQN'))),
        cell('Município de incidência do ISSQN', place),
        cell('País do resultado da prestação', tax.text('cPaisResult')),
        cell('Tipo de imunidade', code(IMMUNITY, tax.text('tpImunidade'))),
      ],
      [
        cell('Suspensão da exigibilidade', code(SUSPENDED, tax.text('exigSusp.tpSusp'))),
        cell('Número do processo de suspensão', tax.text('exigSusp.nProcesso')),
        cell('Benefício municipal', joined(' - ', tax.text('BM.nBM'), code(BENEFIT, values.text('tpBM')))),
        cell('Cálculo do benefício municipal', money(values.text('vCalcBM'))),
      ],
      [
        cell('Valor do serviço', money(dps.text('valores.vServPrest.vServ'))),
        cell('Desconto incondicionado', money(dps.text('valores.vDescCondIncond.vDescIncond'))),
        cell('Total de deduções/reduções', money(values.text('vCalcDR'))),
        cell('Base de cálculo do ISSQN', money(values.text('vBC'))),
      ],
      [
        cell('Alíquota aplicada', rate(values.text('pAliqAplic'))),
        cell('Retenção do ISSQN', code(ISSQN_RETAINED, tax.text('tpRetISSQN'))),
        cell('ISSQN apurado', money(values.text('vISSQN')), 2),
      ],
    ],
  }
}

export function federalOf(dps: Xml): FormSection {
  const tax = dps.at('valores.trib.tribFed')
  if (!dps.has('valores.trib.tribFed')) return { title: 'TRIBUTAÇÃO FEDERAL NÃO INFORMADA NA NFS-e', rows: [] }
  return {
    title: 'TRIBUTAÇÃO FEDERAL (EXCETO CBS)',
    rows: [
      [
        cell('IRRF', money(tax.text('vRetIRRF'))),
        cell('Contribuição previdenciária retida', money(tax.text('vRetCP'))),
        cell('Contribuições sociais retidas', money(tax.text('vRetCSLL'))),
        cell('Retenção de PIS/COFINS/CSLL', code(SOCIAL_RETAINED, tax.text('piscofins.tpRetPisCofins'))),
      ],
      [
        cell('Situação tributária do PIS/COFINS', tax.text('piscofins.CST')),
        cell('Base de cálculo do PIS/COFINS', money(tax.text('piscofins.vBCPisCofins'))),
        cell('PIS - débito de apuração própria', withRate(tax, 'piscofins.vPis', 'piscofins.pAliqPis')),
        cell('COFINS - débito de apuração própria', withRate(tax, 'piscofins.vCofins', 'piscofins.pAliqCofins')),
      ],
    ],
  }
}

/** Amount and rate, if both are present: `R$ 0,90 (0,90 %)`. */
const withRate = (tax: Xml, amount: string, percent: string): string | null =>
  joined(' ', money(tax.text(amount)), tax.has(percent) ? `(${rate(tax.text(percent))})` : null)

export function ibsCbsOf(note: Xml, dps: Xml): FormSection[] {
  if (!note.has('IBSCBS') && !dps.has('IBSCBS')) return []
  const declared = dps.at('IBSCBS')
  const kind = declared.at('valores.trib.gIBSCBS')
  const found = note.at('IBSCBS')
  const sums = found.at('totCIBS')
  const rows: Cell[][] = [
    [
      cell('CST / cClassTrib', joined(' / ', kind.text('CST'), kind.text('cClassTrib'))),
      cell('Indicador da operação', declared.text('cIndOp')),
      cell('Localidade de incidência', joined(' - ', found.text('cLocalidadeIncid'), found.text('xLocalidadeIncid'))),
      cell('Base de cálculo do IBS/CBS', money(found.text('valores.vBC'))),
    ],
    [
      cell('IBS estadual', withRateOf(sums, 'gIBS.gIBSUFTot.vIBSUF', found.text('valores.uf.pAliqEfetUF'))),
      cell('IBS municipal', withRateOf(sums, 'gIBS.gIBSMunTot.vIBSMun', found.text('valores.mun.pAliqEfetMun'))),
      cell('IBS total', money(sums.text('gIBS.vIBSTot'))),
      cell('CBS', withRateOf(sums, 'gCBS.vCBS', found.text('valores.fed.pAliqEfetCBS'))),
    ],
  ]
  return [{ title: 'TRIBUTAÇÃO IBS / CBS', rows }]
}

const withRateOf = (sums: Xml, amount: string, percent: string | null): string | null =>
  joined(' ', money(sums.text(amount)), percent === null ? null : `(${rate(percent)})`)

export function sumsOf(note: Xml, dps: Xml): FormSection {
  const isRetained = ['2', '3'].includes(dps.text('valores.trib.tribMun.tpRetISSQN') ?? '')
  return {
    title: 'VALOR TOTAL DA NFS-e',
    rows: [
      [
        cell('Valor do serviço', money(dps.text('valores.vServPrest.vServ'))),
        cell('Desconto condicionado', money(dps.text('valores.vDescCondIncond.vDescCond'))),
        cell('Desconto incondicionado', money(dps.text('valores.vDescCondIncond.vDescIncond'))),
        cell('ISSQN retido', isRetained ? money(note.text('valores.vISSQN')) : null),
      ],
      [
        cell('Total das retenções', money(note.text('valores.vTotalRet'))),
        cell('Valor líquido da NFS-e', money(note.text('valores.vLiq'))),
        cell('Valor total com IBS e CBS', money(note.text('IBSCBS.totCIBS.vTotNF')), 2),
      ],
    ],
  }
}

export function totalsOf(dps: Xml): FormSection {
  const found = dps.at('valores.trib.totTrib')
  const of = (name: string) =>
    money(found.text(`vTotTrib.vTotTrib${name}`)) ?? rate(found.text(`pTotTrib.pTotTrib${name}`))
  return {
    title: 'TOTAIS APROXIMADOS DOS TRIBUTOS',
    rows: [
      [
        cell('Federais', of('Fed')),
        cell('Estaduais', of('Est')),
        cell('Municipais', of('Mun')),
        cell('Simples Nacional', rate(found.text('pTotTribSN'))),
      ],
    ],
  }
}
