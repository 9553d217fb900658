// The step after an account was left without a password: choosing one with the key that the API's answer gave.

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
