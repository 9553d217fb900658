// Ends all sessions of the account. It needs a click, because mail scanners open links before people do.

import { byId, call, data, forgetQuery, onSubmit, query, show } from './form.js'

const token = query.get('token')

if (!token) show('incomplete')

onSubmit(
  byId('end'),
  async () => {
    await call('/auth/end-sessions', { token })
    forgetQuery()
    show('done')
  },
  { VALIDATION_ERROR: data.endSessions.badLink },
)
