// Restores the former e-mail address. It needs a click, because mail scanners open links before people do.

import { byId, call, data, forgetQuery, onSubmit, query, show } from './form.js'
import { choosePassword } from './new-password.js'

const email = query.get('email')
const token = query.get('token')

if (!email || !token) show('incomplete')
else byId('email').value = email

onSubmit(
  byId('undo'),
  async () => {
    const undone = await call('/auth/undo-email-change', { email, token })
    forgetQuery()
    choosePassword(undone.email, undone.reset_key)
  },
  {
    CONFLICT: data.undoEmailChange.taken,
    BAD_REQUEST: data.undoEmailChange.badLink,
    VALIDATION_ERROR: data.undoEmailChange.badLink,
  },
)
