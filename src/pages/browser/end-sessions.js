// Ends all sessions of the account. It needs a click, because mail scanners open links before people do.

import { byId, call, forgetQuery, onSubmit, query, show } from './form.js'

const token = query.get('token')

if (!token) show('incomplete')

onSubmit(byId('end'), async () => {
  try {
    await call('/auth/end-sessions', { token })
  } catch (failure) {
    if (failure.code !== 'VALIDATION_ERROR') throw failure
    return show('expired')
  }
  forgetQuery()
  show('done')
})
