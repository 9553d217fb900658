// Shows an invitation, lets the person sign in or register, and sends the decision.

import { byId, call, data, explain, forgetQuery, onSubmit, proofOf, query, show } from './form.js'

const texts = data.invites
const token = query.get('token')
let accessToken = ''
let challenge = ''

if (token) await look()
else show('incomplete')

async function look() {
  try {
    present(await call('/invites/check', { token }))
  } catch (failure) {
    const bad = texts.badLink
    byId('problem').textContent = explain(failure, { NOT_FOUND: bad, VALIDATION_ERROR: bad, CONFLICT: texts.over })
    show('failed')
  }
}

function present(invite) {
  if (invite.is_valid === false || invite.expired === true) {
    byId('problem').textContent = texts.over
    show('failed')
    return
  }
  fill('organization', invite.organization_name ?? invite.organization?.name)
  fill('role', Object.hasOwn(texts.roles, invite.role ?? '') ? texts.roles[invite.role] : invite.role)
  fill('invited', invite.email)
  fill(
    'valid-until',
    invite.expiration
      ? new Date(invite.expiration).toLocaleString(data.language, { dateStyle: 'medium', timeStyle: 'short' })
      : null,
  )
  for (const input of document.querySelectorAll('input[name=email]')) input.value = invite.email ?? ''
  byId('new-email').readOnly = Boolean(invite.email)
  show('invitation')
}

function fill(id, value) {
  byId(id).textContent = value ?? ''
  byId(id).parentElement.hidden = !value
}

function choose(chosen) {
  for (const button of document.querySelectorAll('[data-choose]')) {
    const isChosen = button.dataset.choose === chosen
    button.setAttribute('aria-pressed', String(isChosen))
    byId(button.dataset.choose).hidden = !isChosen
  }
}

for (const button of document.querySelectorAll('[data-choose]')) {
  button.addEventListener('click', () => choose(button.dataset.choose))
}

async function enter(path, body) {
  const signedIn = await call(path, body)
  byId('identify').hidden = true
  if (signedIn.second_factor_required) {
    challenge = signedIn.challenge
    ask('second')
  } else {
    accessToken = signedIn.access_token
    byId('second').hidden = true
    ask('answer')
  }
}

function ask(id) {
  byId(id).hidden = false
  byId(id).querySelector('h2').focus()
}

onSubmit(
  byId('sign-in'),
  (form) => enter('/auth/login', { email: form.get('email'), password: form.get('password') }),
  {
    AUTHENTICATION_ERROR: texts.wrongPassword,
  },
)

onSubmit(
  byId('register'),
  (form) => {
    const person = { email: form.get('email'), password: form.get('password'), name: form.get('name') }
    return enter('/auth/register', person)
  },
  { CONFLICT: texts.knownAddress },
)

onSubmit(byId('second'), (form) => enter('/auth/login/second-factor', { challenge, ...proofOf(form) }), {
  AUTHENTICATION_ERROR: data.secondFactor.late,
  VALIDATION_ERROR: data.secondFactor.wrongCode,
})

onSubmit(
  byId('answer'),
  async (_form, submitter) => {
    const isRefusal = submitter?.value === 'reject'
    await call(isRefusal ? '/invites/reject' : '/invites/accept', { token }, accessToken)
    forgetQuery()
    show(isRefusal ? 'rejected' : 'accepted')
  },
  { AUTHORIZATION_ERROR: texts.otherAddress, CONFLICT: texts.over, NOT_FOUND: texts.badLink },
)
