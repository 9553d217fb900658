// GET /sso in a browser: to which addresses an answer of a provider is handed on, and only when the person says so.
import { createContext, Script } from 'node:vm'
import { expect, it } from 'vitest'
import { ssoPage } from './sso.ts'

const TOKEN = 'x'.repeat(43)
const html = ssoPage({ language: 'en', nonce: 'n', brand: 'Titular' }, { portalUrl: null })
const [, code = ''] = /<script type="module"[^>]*>([^]*?)<\/script>/.exec(html) ?? []
const [, json = ''] = /id="page-data">([^]*?)<\/script>/.exec(html) ?? []

type Part = { id: string; hidden: boolean; submit?: ((event: object) => Promise<void>) | undefined }

/** What the script uses of a browser; the address of the page has the query. */
async function open(query: string) {
  const parts = new Map<string, Part>()
  const asked: string[] = []
  const left: string[] = []
  const element = (id: string) => {
    const part: Part = parts.get(id) ?? { id, hidden: false }
    parts.set(id, part)
    return Object.assign(part, {
      textContent: id === 'page-data' ? json : '',
      elements: [],
      querySelector: (selector: string) => (selector === 'h1, h2' ? null : element(`${id} ${selector}`)),
      getAttribute: () => null,
      setAttribute: () => undefined,
      removeAttribute: () => undefined,
      addEventListener: (_name: string, act: Part['submit']) => void (part.submit = act),
    })
  }
  const go = (url: string) => void left.push(url)
  const context = createContext({
    document: {
      getElementById: element,
      querySelectorAll: (selector: string) =>
        selector === '[data-part]' ? ['begin', 'finishing', 'program', 'failed'].map(element) : [],
    },
    location: { search: query, pathname: '/sso', assign: go, replace: go },
    history: { replaceState: () => undefined },
    fetch: (url: string) => {
      asked.push(url)
      return Promise.reject(new Error('offline'))
    },
    URL,
    URLSearchParams,
    // Of the form the script needs nothing.
    FormData: Object,
  })
  await new Script(`(async () => {${code}})()`).runInContext(context)
  const shown = [...parts.values()].filter(({ id, hidden }) => !hidden && ['program', 'failed'].includes(id))
  const confirm = () => parts.get('hand-over')?.submit?.({ preventDefault: () => undefined })
  return { shown: shown.map(({ id }) => id), asked, left, confirm }
}

it('asks the person, then hands the answer to the program at the loopback, and nothing else', async () => {
  const answer = new URLSearchParams({ state: `${TOKEN}.51763`, code: 'c&d#e', iss: 'https://i.example', other: 'x' })
  const { shown, asked, left, confirm } = await open(`?${answer.toString()}`)
  expect([shown, asked, left]).toEqual([['program'], [], []])
  await confirm()
  answer.delete('other')
  expect(left).toEqual([`http://127.0.0.1:51763/?${answer.toString()}`])
  expect(asked).toEqual([])
})
it.each([
  `${TOKEN}.99999`,
  `${TOKEN}.80`,
  `${TOKEN}.1023`,
  `${TOKEN}.51763@evil.example`,
  `${TOKEN}.51763.evil.example`,
  `${TOKEN}.51763\n`,
  `${TOKEN}.५१७६३`,
  `${TOKEN}.0x1F90`,
  `${TOKEN}.51763/..`,
  `javascript:alert(1)//${TOKEN}.51763`,
  TOKEN,
])('hands nothing on for the state %j', async (state) => {
  const { shown, asked, left } = await open(`?${new URLSearchParams({ state, code: 'c' }).toString()}`)
  expect([shown, asked, left]).toEqual([['failed'], ['/api/v1/auth/session/sso'], []])
})
