// GET /invites in a browser: an invitation is accepted by a person whose account asks for a second factor.
import { createContext, Script } from 'node:vm'
import { expect, it } from 'vitest'
import { invitesPage } from './invites.ts'
import { brandNamed } from '#test/scenes/brand.ts'

const html = invitesPage({ language: 'en', nonce: 'n', brand: brandNamed('Titular') }, { portalUrl: '/app' })
const [, code = ''] = /<script type="module"[^>]*>([^]*?)<\/script>/.exec(html) ?? []
const [, json = ''] = /id="page-data">([^]*?)<\/script>/.exec(html) ?? []

type Element = { hidden: boolean; textContent: string; submit?: (event: object) => Promise<void> }
type Call = { path: string; body: object; authorization: string | undefined }

const PARTS = ['checking', 'invitation', 'accepted', 'rejected', 'failed', 'incomplete']
const FORMS = ['identify', 'second', 'answer']

/** What the script uses of a browser; `answers` are the data of the API's answers, or the code of a refusal. */
async function open(answers: (object | string)[]) {
  const elements = new Map<string, Element>()
  const calls: Call[] = []
  let fields: Record<string, string> = {}
  const element = (id: string): Element => {
    const known: Element = elements.get(id) ?? {
      hidden: id === 'second' || id === 'answer',
      textContent: id === 'page-data' ? json : '',
    }
    elements.set(id, known)
    return Object.assign(known, {
      id,
      elements: [],
      parentElement: { hidden: false },
      querySelector: (selector: string) => element(`${id} ${selector}`),
      getAttribute: () => null,
      setAttribute: () => undefined,
      removeAttribute: () => undefined,
      focus: () => undefined,
      addEventListener: (_name: string, act: NonNullable<Element['submit']>) => void (known.submit = act),
    })
  }
  const context = createContext({
    document: {
      getElementById: element,
      querySelectorAll: (selector: string) => (selector === '[data-part]' ? PARTS.map(element) : []),
    },
    location: { search: '?token=t', pathname: '/invites' },
    history: { replaceState: () => undefined },
    fetch: (path: string, { body, headers }: { body: string; headers: Record<string, string> }) => {
      calls.push({ path, body: JSON.parse(body), authorization: headers['authorization'] })
      const answer = answers.shift() ?? {}
      const isRefusal = typeof answer === 'string'
      const envelope = isRefusal ? { success: false, errors: { code: answer } } : { success: true, data: answer }
      return Promise.resolve({ ok: !isRefusal, json: () => Promise.resolve(envelope) })
    },
    URLSearchParams,
    FormData: class {
      get(name: string) {
        return fields[name] ?? null
      }
    },
  })
  await new Script(`(async () => {${code}})()`).runInContext(context)
  return {
    calls,
    submit: async (form: string, given: Record<string, string> = {}) => {
      fields = given
      await element(form).submit?.({ preventDefault: () => undefined, submitter: null })
    },
    part: () => PARTS.filter((id) => !element(id).hidden),
    forms: () => FORMS.filter((id) => !element(id).hidden),
    notice: (form: string) => element(`${form} .notice`).textContent,
  }
}

const INVITE = { email: 'ana@acme.example', organization_name: 'Acme' }
const PASSWORD = { email: 'ana@acme.example', password: 'vento-lilas-7' }
const CHALLENGE = { second_factor_required: true, challenge: 'c' }
const SIGNED_IN = { access_token: 'a' }

it('is accepted with the tokens that the second factor gives', async () => {
  const page = await open([INVITE, CHALLENGE, 'VALIDATION_ERROR', SIGNED_IN])
  expect([page.part(), page.forms()]).toEqual([['invitation'], ['identify']])
  await page.submit('sign-in', PASSWORD)
  expect(page.forms()).toEqual(['second'])
  await page.submit('second', { code: 'abcd-efgh' })
  expect([page.forms(), page.notice('second')]).toEqual([['second'], 'This code is wrong, or was used already.'])
  await page.submit('second', { code: ' 123456 ' })
  expect(page.forms()).toEqual(['answer'])
  await page.submit('answer')
  expect(page.part()).toEqual(['accepted'])
  expect(page.calls.slice(1)).toEqual([
    { path: '/api/v1/auth/login', body: PASSWORD, authorization: undefined },
    {
      path: '/api/v1/auth/login/second-factor',
      body: { challenge: 'c', recovery_code: 'abcd-efgh' },
      authorization: undefined,
    },
    { path: '/api/v1/auth/login/second-factor', body: { challenge: 'c', code: '123456' }, authorization: undefined },
    { path: '/api/v1/invites/accept', body: { token: 't' }, authorization: 'Bearer a' },
  ])
})
it('is accepted without one where the account has none', async () => {
  const page = await open([INVITE, SIGNED_IN])
  await page.submit('sign-in', PASSWORD)
  expect(page.forms()).toEqual(['answer'])
})
