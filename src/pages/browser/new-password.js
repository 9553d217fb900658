// Lets the person choose a new password with the key from the API's answer, when the account has none.

import { byId, call, data, onSubmit, show } from './form.js'

let given = { email: '', key: '' }

export function choosePassword(email, key) {
  given = { email, key }
  byId('new-email').value = email
  show('choose')
}

onSubmit(
  byId('choose-password'),
  async (form) => {
    await call('/auth/reset-password', { ...given, password: form.get('password') })
    show('chosen')
  },
  { VALIDATION_ERROR: data.newPassword.late },
)
