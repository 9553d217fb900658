// What is asked: the four scenarios as HTTP requests.
import { type Data, PASSWORD, type Owner } from './data.ts'

export type Question = { method: 'GET' | 'POST'; path: string; headers: Record<string, string>; body?: string }

/** Either a list that may be asked again and again, or one question after the other, each once. */
export type Questions = { all?: Question[]; next: () => Question | undefined }

export type Scenario = { name: string; path: string; target: number | null; questions: Questions }

const API = '/api/v1'

const headersOf = ({ token, organizationId }: Pick<Owner, 'token' | 'organizationId'>) => ({
  authorization: `Bearer ${token}`,
  'x-service-organization': String(organizationId),
})

export const listOf = (owner: Owner): Question => ({
  method: 'GET',
  path: `${API}/entitlements`,
  headers: headersOf(owner),
})

const codesOf = (owner: Owner): Question[] =>
  owner.codes.map((code) => ({ method: 'GET', path: `${API}/entitlements/code/${code}`, headers: headersOf(owner) }))

const loginOf = (email: string): Question => ({
  method: 'POST',
  path: `${API}/auth/login`,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ email, password: PASSWORD }),
})

export function scenariosOf(data: Data): Scenario[] {
  return [
    { name: 'list of 20 + total', path: 'GET /entitlements', target: 0.85, questions: again(data.owners.map(listOf)) },
    {
      name: 'one by code',
      path: 'GET /entitlements/code/{code}',
      target: 0.8,
      questions: again(data.owners.flatMap(codesOf)),
    },
    { name: 'accept', path: 'POST /quotes/{id}/accept', target: null, questions: acceptsOf(data) },
    { name: 'login', path: 'POST /auth/login', target: null, questions: again(data.emails.map(loginOf)) },
  ]
}

function again(all: Question[]): Questions {
  let index = 0
  return { all, next: () => all[index++ % all.length] }
}

/** Both servers draw from the same line, so none gets a quote that the other has accepted. */
function acceptsOf({ quotes, owners }: Data): Questions {
  const byId = new Map(owners.map((owner) => [owner.organizationId, owner]))
  const line = quotes.filter(({ organizationId }) => byId.has(organizationId)).values()
  return {
    next: () => {
      const { value: quote } = line.next()
      const owner = quote && byId.get(quote.organizationId)
      return owner && { method: 'POST', path: `${API}/quotes/${quote.id}/accept`, headers: headersOf(owner) }
    },
  }
}
