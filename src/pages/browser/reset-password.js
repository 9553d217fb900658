// Sets a new password with the mailed key.

import { byId, call, data, forgetQuery, onSubmit, query, show } from './form.js'

const email = query.get('email')
const key = query.get('key')

if (!email || !key) show('incomplete')
else byId('email').value = email

const badLink = data.resetPassword.badLink
const used = { AUTHENTICATION_ERROR: badLink, AUTHORIZATION_ERROR: badLink, NOT_FOUND: badLink, CONFLICT: badLink }

onSubmit(
  byId('reset'),
  async (form) => {
    await call('/auth/reset-password', { email, key, password: form.get('password') })
    forgetQuery()
    show('done')
  },
  { ...used, BAD_REQUEST: badLink, VALIDATION_ERROR: badLink },
)
