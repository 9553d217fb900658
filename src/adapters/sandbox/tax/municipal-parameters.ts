// The municipal parameters of the sandbox, in the protocol of the national system (ADN):
//   GET /parametrizacao/{municipality}/convenio · GET /parametrizacao/{municipality}/{service}/{day}/aliquota
// Every municipality has an agreement but those whose code begins with 9 (no state has it); a municipality's own codes
// have no rate.
import type { Answer } from '../payments/exchange.ts'
import { json } from './json-answer.ts'

const IN_FORCE_FROM = '2020-01-01'
const LOWER_RATE = 2.9
const RATE = 5
/** The services of computing, of which São Paulo takes less. */
const LOWER_GROUP = '01'

/** The rate in percent, by the first two digits of the national code. */
export const publishedRate = (national: string): number => (national.startsWith(LOWER_GROUP) ? LOWER_RATE : RATE)

export function answerParameters(method: string, path: string): Answer {
  const [, municipality = '', service = '', day = '', what] =
    /^\/parametrizacao\/(\d{7})\/(?:([\w.-]+)\/([\w.:-]+)\/)?(convenio|aliquota)$/.exec(path) ?? []
  if (method !== 'GET') return json(405, { erro: 'Method Not Allowed' })
  if (what === 'convenio' && service === '') return agreement(municipality)
  if (what === 'aliquota' && service !== '') return rate(service, day)
  return json(404, { erro: 'Not Found' })
}

function agreement(municipality: string): Answer {
  if (municipality.startsWith('9'))
    return json(404, {
      parametrosConvenio: null,
      mensagem: `O convênio do município <${municipality}> ainda não está ativo no Sistema Nacional da NFS-e`,
    })
  return json(200, {
    parametrosConvenio: {
      aderenteAmbienteNacional: 1,
      aderenteEmissorNacional: 1,
      situacaoEmissaoPadraoContribuintesRFB: 1,
      aderenteMAN: 0,
      // The system's own spelling.
      permiteAproveitametoDeCreditos: true,
    },
    mensagem: 'Parâmetros do convênio recuperados com sucesso.',
  })
}

function rate(service: string, day: string): Answer {
  if (!/^\d\d\.\d\d\.\d\d\.\d{3}$/.test(service))
    return json(400, {
      aliquotas: null,
      mensagem: 'Chamada mal formada. O código do serviço deve ser composto por nove dígitos.',
    })
  if (!/^\d{4}-\d\d-\d\d$/.test(day))
    return json(400, { title: 'One or more validation errors occurred.', status: 400 })
  if (!service.endsWith('.000') || day < IN_FORCE_FROM)
    return json(404, { aliquotas: null, mensagem: 'Alíquotas não encontradas.' })
  const published = { Incidencia: 'SIM', Aliq: publishedRate(service), DtIni: `${IN_FORCE_FROM}T00:00:00`, DtFim: null }
  return json(200, { aliquotas: { [service]: [published] }, mensagem: 'Alíquotas recuperadas com sucesso.' })
}
