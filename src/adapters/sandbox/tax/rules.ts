// The rules by which the sandbox tax authority refuses a declaration or an event, with the national system's codes.
import type { Document } from './document.ts'
import { declarationIdOf } from './numbers.ts'
import { signatureFault } from './signature-check.ts'

export type Fault = { codigo: string; descricao: string; complemento?: string }

export const fault = (codigo: string, descricao: string, complemento?: string): Fault => ({
  codigo,
  descricao,
  ...(complemento !== undefined && { complemento }),
})

export const BAD_SCHEMA = fault('E1235', 'Falha no esquema XML do documento.')
export const DUPLICATE = fault('E0014', 'Conjunto de Série, Número, Município Emissor e CNPJ já existe em uma NFS-e.')
export const NO_SUCH_INVOICE = fault('E0819', 'NFS-e não encontrada.')
export const CONFLICT = fault('E0840', 'O evento conflita com um evento anterior da NFS-e.')

const OUTCOMES = ['refuse', 'unavailable', 'unclear']

/** The outcome that a recipient's fifth parameter chooses; null for other text, which is not sent. */
export const outcomeOf = (parameters: readonly (string | null)[]): string | null =>
  OUTCOMES.find((outcome) => outcome === parameters[4]?.trim().toLowerCase()) ?? null

export const OUTCOME_PATH = ['DPS', 'infDPS', 'serv', 'infoCompl', 'xInfComp'] as const

/** What is wrong with a declaration; empty when it can be issued. */
export function declarationFaults(xml: string, dps: Document, now: Date): Fault[] {
  const inf = (...path: string[]) => dps('DPS', 'infDPS', ...path)
  if (dps('DPS', '@versao') !== '1.01' || inf('nDPS') === '') return [BAD_SCHEMA]
  const id = inf('@Id')
  const emitter = { municipality: inf('cLocEmi'), taxId: inf('prest', 'CNPJ') || inf('prest', 'CPF') }
  if (id !== declarationIdOf(emitter, inf('serie'), inf('nDPS')))
    return [fault('E0004', 'O identificador da DPS difere da concatenação dos campos correspondentes.')]
  const broken = signatureFault(xml, 'infDPS', id)
  if (broken !== null) return [fault('E0714', 'Arquivo enviado com erro na assinatura.', broken)]
  const faults: Fault[] = []
  if (inf('tpAmb') !== '2') faults.push(fault('E0006', 'O ambiente informado difere do ambiente de destino.'))
  const emitted = new Date(inf('dhEmi'))
  // The sandbox has the service's clock; one second is allowed for the request.
  if (!(emitted.getTime() <= now.getTime() + 1000))
    faults.push(fault('E0008', 'A data de emissão da DPS é posterior à data do processamento.'))
  if (!(inf('dCompet') <= inf('dhEmi').slice(0, 10)))
    faults.push(fault('E0015', 'A data de competência é posterior à data de emissão da DPS.'))
  if (dps(...OUTCOME_PATH) === 'refuse')
    faults.push(fault('E0188', 'O CNPJ do tomador não foi encontrado no cadastro.', 'tax_param5: refuse'))
  return faults
}

export function cancellationFaults(xml: string, request: Document, accessKey: string): Fault[] {
  const inf = (...path: string[]) => request('pedRegEvento', 'infPedReg', ...path)
  const reason = inf('e101101', 'xMotivo')
  const isRight =
    request('pedRegEvento', '@versao') === '1.01' &&
    inf('@Id') === `PRE${accessKey}101101` &&
    inf('chNFSe') === accessKey &&
    inf('e101101', 'xDesc') === 'Cancelamento de NFS-e' &&
    /^[129]$/.test(inf('e101101', 'cMotivo')) &&
    reason.length >= 15
  if (!isRight) return [BAD_SCHEMA]
  const author = inf('CNPJAutor') || inf('CPFAutor').padStart(14, '0')
  if (author !== accessKey.slice(9, 23)) return [fault('E0822', 'O autor do evento não é o emitente da NFS-e.')]
  const broken = signatureFault(xml, 'infPedReg', inf('@Id'))
  return broken === null ? [] : [fault('E0714', 'Arquivo enviado com erro na assinatura.', broken)]
}
