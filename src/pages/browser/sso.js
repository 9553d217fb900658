// Sends the browser to the identity provider, and finishes the sign-in when it comes back.

import { byId, call, data, explain, forgetQuery, onSubmit, proofOf, query, show } from './form.js'

const texts = data.sso
let challenge = ''
let path = '/'

/** A program on this machine waits for the answer; the person says whether it may have it. */
const [, port] = /^[\w-]{43}\.(\d{4,5})$/.exec(query.get('state') ?? '') ?? []

if (port >= 1024 && port <= 65_535) handOver()
else if (query.get('state') || query.get('error')) await finish()

function handOver() {
  const answer = new URL(`http://127.0.0.1:${port}/`)
  for (const name of ['state', 'code', 'iss', 'error'])
    if (query.get(name)) answer.searchParams.set(name, query.get(name))
  forgetQuery()
  show('program')
  onSubmit(byId('hand-over'), async () => location.assign(answer.href))
}

async function finish() {
  show('finishing')
  const answer = {}
  for (const name of ['state', 'code', 'iss', 'error']) if (query.get(name)) answer[name] = query.get(name)
  forgetQuery()
  try {
    const signedIn = await call('/auth/session/sso', answer)
    path = signedIn.return_path
    if (!signedIn.second_factor_required) return leave()
    challenge = signedIn.challenge
    show('second')
  } catch (failure) {
    byId('problem').textContent = whyNot(failure)
    show('failed')
  }
}

function whyNot(failure) {
  if (Object.hasOwn(texts.reasons, failure.reason)) return texts.reasons[failure.reason]
  const refused = texts.refused
  return explain(failure, {
    AUTHENTICATION_ERROR: refused,
    VALIDATION_ERROR: refused,
    SERVICE_UNAVAILABLE: texts.unavailable,
  })
}

/** To a path of the portal. */
function leave() {
  location.replace(`${data.destination.base}${path}`)
}

onSubmit(
  byId('address'),
  async (form) => {
    const { authorization_url: url } = await call('/auth/sso', { email: form.get('email') })
    location.assign(url)
  },
  { NOT_FOUND: texts.unknown, SERVICE_UNAVAILABLE: texts.unavailable },
)

onSubmit(
  byId('answer'),
  async (form) => {
    await call('/auth/session/second-factor', { challenge, ...proofOf(form) })
    leave()
  },
  { AUTHENTICATION_ERROR: texts.reasons.sso_expired, VALIDATION_ERROR: data.secondFactor.wrongCode },
)
