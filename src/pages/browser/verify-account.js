// Proves an e-mail address with the mailed token. It needs a click, because mail scanners open links before people do.

import { byId, call, data, forgetQuery, onSubmit, query, show } from './form.js'
import { choosePassword } from './new-password.js'

const email = query.get('email')
const token = query.get('token')

if (!email || !token) show('incomplete')
else byId('email').value = email

const badLink = data.verifyAccount.badLink
const used = { AUTHENTICATION_ERROR: badLink, AUTHORIZATION_ERROR: badLink, NOT_FOUND: badLink, CONFLICT: badLink }

onSubmit(
  byId('verify'),
  async (form) => {
    const password = form.get('password')
    const body = { email, token, ...(password && { password }) }
    const verified = await call('/auth/verify-account', body).catch((failure) => {
      throw failure.fields?.password ? { code: 'wrongPassword', fields: {} } : failure
    })
    forgetQuery()
    if (verified.password_required) choosePassword(email, verified.reset_key)
    else show('done')
  },
  { ...used, BAD_REQUEST: badLink, VALIDATION_ERROR: badLink, wrongPassword: data.verifyAccount.wrongPassword },
)
