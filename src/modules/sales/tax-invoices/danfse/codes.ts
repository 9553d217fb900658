// The meanings of the codes of an NFS-e, as the national schemas word them (tiposSimples).

type Codes = Readonly<Record<string, string>>

export const STATUS: Codes = {
  100: 'NFS-e gerada',
  102: 'NFS-e de decisão judicial',
  103: 'NFS-e avulsa',
  107: 'NFS-e MEI',
}
export const statusOf = (value: string | null): string | null =>
  value === null ? null : Object.hasOwn(STATUS, value) ? (STATUS[value] ?? value) : value

export const EMISSION: Codes = { 1: 'Prestador', 2: 'Tomador', 3: 'Intermediário' }

export const SIMPLES: Codes = {
  1: 'Não optante',
  2: 'Optante - Microempreendedor Individual (MEI)',
  3: 'Optante - Microempresa ou Empresa de Pequeno Porte (ME/EPP)',
}
export const SIMPLES_REGIME: Codes = {
  1: 'Tributos federais e municipal pelo SN',
  2: 'Tributos federais pelo SN e ISSQN por fora do SN',
  3: 'Tributos federais e municipal por fora do SN',
}
export const SPECIAL_REGIME: Codes = {
  0: 'Nenhum',
  1: 'Ato cooperado',
  2: 'Estimativa',
  3: 'Microempresa municipal',
  4: 'Notário ou registrador',
  5: 'Profissional autônomo',
  6: 'Sociedade de profissionais',
  9: 'Outros',
}
export const NO_TAX_ID: Codes = {
  0: 'NIF não informado na nota de origem',
  1: 'Dispensado do NIF',
  2: 'Não exigência do NIF',
}
export const ISSQN: Codes = {
  1: 'Operação tributável',
  2: 'Imunidade',
  3: 'Exportação de serviço',
  4: 'Não incidência',
}
export const ISSQN_RETAINED: Codes = { 1: 'Não retido', 2: 'Retido pelo tomador', 3: 'Retido pelo intermediário' }
export const SUSPENDED: Codes = { 1: 'Por decisão judicial', 2: 'Por processo administrativo' }
export const IMMUNITY: Codes = {
  0: 'Imunidade (tipo não informado na nota de origem)',
  1: 'Patrimônio, renda ou serviços, uns dos outros',
  2: 'Templos de qualquer culto',
  3: 'Partidos, sindicatos, educação e assistência social',
  4: 'Livros, jornais, periódicos e o papel destinado a sua impressão',
  5: 'Fonogramas e videofonogramas musicais produzidos no Brasil',
}
export const BENEFIT: Codes = {
  1: 'Isenção',
  2: 'Redução da BC em percentual',
  3: 'Redução da BC em valor',
  4: 'Alíquota diferenciada',
}
export const SOCIAL_RETAINED: Codes = {
  0: 'PIS/COFINS/CSLL não retidos',
  1: 'PIS/COFINS retidos',
  2: 'PIS/COFINS não retidos',
  3: 'PIS/COFINS/CSLL retidos',
  4: 'PIS/COFINS retidos, CSLL não retido',
  5: 'PIS retido, COFINS/CSLL não retido',
  6: 'COFINS retido, PIS/CSLL não retido',
  7: 'PIS não retido, COFINS/CSLL retidos',
  8: 'PIS/COFINS não retidos, CSLL retido',
  9: 'COFINS não retido, PIS/CSLL retidos',
}
