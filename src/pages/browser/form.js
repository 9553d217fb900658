// Shared by all form pages: reads the query, calls the API, and shows the result.

export const data = JSON.parse(document.getElementById('page-data').textContent)
export const query = new URLSearchParams(location.search)
export const byId = (id) => document.getElementById(id)

/** Resolves with the envelope's data; rejects with {code, reason, fields}. */
export async function call(path, body, token) {
  const headers = { 'content-type': 'application/json', accept: 'application/json', 'accept-language': data.language }
  if (token) headers.authorization = `Bearer ${token}`
  const sent = { method: 'POST', headers, body: JSON.stringify(body), credentials: 'same-origin', cache: 'no-store' }
  const response = await fetch(`/api/v1${path}`, sent).catch(() => null)
  if (response === null) throw { code: 'offline', fields: {} }
  const envelope = await response.json().catch(() => null)
  if (response.ok && envelope?.success === true) return envelope.data ?? {}
  const { code = 'unknown', reason = '', fields = {} } = envelope?.errors ?? {}
  throw { code, reason, fields }
}

/** The text of a failure in the page's language; `special` has texts for the codes of this call. */
export function explain(failure, special = {}) {
  const field = Object.keys(failure.fields ?? {}).find((name) => Object.hasOwn(data.errors.fields, name))
  if (failure.code === 'VALIDATION_ERROR' && field) return data.errors.fields[field]
  if (Object.hasOwn(special, failure.code)) return special[failure.code]
  if (failure.code === 'offline') return data.errors.offline
  return Object.hasOwn(data.errors.codes, failure.code) ? data.errors.codes[failure.code] : data.errors.unknown
}

/**
 * Runs `act` on submit, one at a time; the button shows that it is running. Failures appear in the notice of the form.
 */
export function onSubmit(form, act, special) {
  const button = form.querySelector('button[type=submit]')
  const notice = form.querySelector('.notice')
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    if (button.getAttribute('aria-disabled') === 'true') return
    const label = button.textContent
    button.setAttribute('aria-disabled', 'true')
    button.textContent = data.working
    notice.textContent = ''
    for (const input of form.elements) input.removeAttribute('aria-invalid')
    try {
      await act(new FormData(form), event.submitter)
    } catch (failure) {
      for (const name of Object.keys(failure.fields ?? {})) form.elements[name]?.setAttribute('aria-invalid', 'true')
      form.querySelector('[aria-invalid=true]')?.focus()
      notice.textContent = explain(failure, special)
    }
    button.textContent = label
    button.removeAttribute('aria-disabled')
  })
}

/** The second factor in the field `code`: six digits of an app, else a recovery code. */
export function proofOf(form) {
  const given = String(form.get('code')).trim()
  return /^\d{6}$/.test(given) ? { code: given } : { recovery_code: given }
}

/** Shows one part of the page instead of the others, and moves the focus there. */
export function show(id) {
  for (const part of document.querySelectorAll('[data-part]')) part.hidden = part.id !== id
  byId(id).querySelector('h1, h2')?.focus()
}

/** Removes a used key from the address bar and the history. */
export function forgetQuery() {
  history.replaceState(null, '', location.pathname)
}

for (const button of document.querySelectorAll('.reveal button')) {
  const input = button.parentElement.querySelector('input')
  button.addEventListener('click', () => {
    const hidden = input.type === 'password'
    input.type = hidden ? 'text' : 'password'
    button.textContent = hidden ? data.password.hide : data.password.show
    button.setAttribute('aria-pressed', String(hidden))
  })
}
