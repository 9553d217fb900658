// The municipal parameters of the national system (ADN): agreements and ISS rates. 200, 404 and 400 with the system's
// own JSON are answers; everything else is none, since a proxy's page says nothing about a municipality.
import type { MunicipalAnswer, MunicipalParameters, MunicipalQuestion } from '#ports/municipal-parameters.ts'
import { TaxAuthorityUnavailable } from '#ports/tax-authority.ts'
import { fieldsOf, type JsonAnswer, readable, readJson, stringIn } from './answers.ts'
import type { Certificate } from './certificate.ts'
import { authorityHttp } from './http.ts'
import { pathOf } from './paths.ts'

export type MunicipalParametersOptions = {
  baseUrl: string
  /** Called for each question: one that is valid now; null for the sandbox's own HTTP. */
  certificate: () => Promise<Certificate | null>
  ca?: string | null
  timeoutMs?: number
}

export const PARAMETERS_URLS = {
  production: 'https://adn.nfse.gov.br/parametrizacao',
  restricted: 'https://adn.producaorestrita.nfse.gov.br/parametrizacao',
} as const

const TIMEOUT_MS = 10_000
/** An answer has a few hundred characters; it is kept whole. */
const MOST_CHARACTERS = 20_000

const AGREEMENT = { path: '/{municipality}/convenio', key: 'parametrosConvenio' }
const RATE = { path: '/{municipality}/{service}/{competence}/aliquota', key: 'aliquotas' }
const OUTCOMES: ReadonlyMap<number, MunicipalAnswer['outcome']> = new Map([
  [200, 'published'],
  [400, 'refused'],
  [404, 'none'],
])

export function createMunicipalParameters(
  options: MunicipalParametersOptions,
): MunicipalParameters & { close(): Promise<void> } {
  const { baseUrl, ca = null, timeoutMs = TIMEOUT_MS } = options
  const http = authorityHttp({ baseUrl, ca, timeoutMs })
  return {
    async ask(question) {
      const kind = question.service_code === '' ? AGREEMENT : RATE
      const { municipality, service_code, competence } = question
      const path = pathOf(kind.path, { municipality, service: withDots(service_code), competence })
      const certificate = await options.certificate()
      const { status, text } = await http.send({ method: 'GET', path, certificate })
      const read = readAnswer(question, kind.key, { status, text })
      if (!read) throw new TaxAuthorityUnavailable(`The answer to GET ${path} (${status}) is not one of the system`)
      return read
    },
    close: () => http.close(),
  }
}

/** `010701000` as `01.07.01.000`: without dots the system refuses it, for having other than nine digits. */
const withDots = (code: string): string => code.replace(/^(\d\d)(\d\d)(\d\d)(\d{3})$/, '$1.$2.$3.$4')

function readAnswer(
  question: MunicipalQuestion,
  key: string,
  { status, text }: { status: number; text: string },
): MunicipalAnswer | null {
  const answer = readJson(text)
  const outcome = OUTCOMES.get(status)
  if (!answer || !outcome || text.length > MOST_CHARACTERS) return null
  const content = answer.get(key.toLowerCase())
  // The system's own 400 for a value that it cannot read at all has a `title` instead.
  const message = stringIn(answer, 'mensagem') ?? (outcome === 'refused' ? stringIn(answer, 'title') : null)
  const common = { ...NOTHING, message: message === null ? null : readable(message), raw: text }
  if (outcome !== 'published') return message === null ? null : { ...common, outcome }
  const fields = fieldsOf(content)
  if (!fields) return null
  if (key === AGREEMENT.key) return { ...common, outcome, ...agreementIn(fields) }
  const rates = ratesIn(fields, question)
  if (!rates) return null
  const inForce = rates
    .filter(({ valid_from: from, valid_until: until }) => isWithin(question.competence, from, until))
    .toSorted((one, other) => (one.valid_from < other.valid_from ? 1 : -1))[0]
  return inForce ? { ...common, outcome, ...inForce } : { ...common, outcome: 'none' }
}

const NOTHING = {
  national_environment: null,
  national_issuer: null,
  levied: null,
  rate: null,
  valid_from: null,
  valid_until: null,
}

const agreementIn = (fields: JsonAnswer) => ({
  national_environment: yesOrNo(fields.get('aderenteambientenacional')),
  national_issuer: yesOrNo(fields.get('aderenteemissornacional')),
})

/** 1 yes, 0 no, -1 not said. */
const yesOrNo = (value: unknown): boolean | null =>
  value === 1 || value === true ? true : value === 0 || value === false ? false : null

type Rate = Pick<MunicipalAnswer, 'levied' | 'rate' | 'valid_until'> & { valid_from: string }

/** The rates of the code that was asked about; null when any of them cannot be read. */
function ratesIn(codes: JsonAnswer, { service_code }: MunicipalQuestion): Rate[] | null {
  const rates: Rate[] = []
  for (const [code, list] of codes) {
    if (code.replaceAll(/\D/g, '') !== service_code) continue
    for (const one of Array.isArray(list) ? list : []) {
      const rate = rateIn(fieldsOf(one))
      if (!rate) return null
      rates.push(rate)
    }
  }
  return rates
}

function rateIn(fields: JsonAnswer | null): Rate | null {
  const from = dayIn(fields?.get('dtini'))
  const end = fields?.get('dtfim') ?? null
  const until = dayIn(end)
  const number = fields?.get('aliq') ?? null
  const rate = twoDigits(number)
  if (from === null || (end !== null && until === null) || (number !== null && rate === null)) return null
  const levied = fields?.get('incidencia')
  return {
    levied: typeof levied === 'string' && /^[sn]/i.test(levied) ? /^s/i.test(levied) : null,
    rate,
    valid_from: from,
    valid_until: until,
  }
}

/** Shortest decimal form of the number, never a computation with it; null for more than two digits after the point. */
function twoDigits(value: unknown): string | null {
  const [, whole, fraction = ''] =
    /^(\d{1,2})(?:\.(\d{1,2}))?$/.exec(typeof value === 'number' ? String(value) : '') ?? []
  return whole === undefined ? null : `${whole}.${fraction.padEnd(2, '0')}`
}

/** Of `2026-01-01T00:00:00`, without a zone. */
function dayIn(value: unknown): string | null {
  const day = typeof value === 'string' ? value.slice(0, 10) : ''
  const moment = new Date(`${day}T00:00:00Z`)
  return /^\d{4}-\d\d-\d\d$/.test(day) && !Number.isNaN(moment.getTime()) && moment.toISOString().startsWith(day)
    ? day
    : null
}

const isWithin = (day: string, from: string, until: string | null): boolean =>
  from <= day && (until === null || day <= until)
