// A page's script with what it uses of a browser, so that tests see which part is shown, what was asked and where it leads.
import { createContext, Script } from 'node:vm'

type Part = { id: string; hidden: boolean; textContent: string; submit?: (event: object) => Promise<void> }

export type Opened = {
  /** The parts of the page that are not hidden. */
  shown(): string[]
  textOf(id: string): string | undefined
  asked: string[]
  /** Where the browser was sent. */
  left: string[]
  submit(formId: string): Promise<void> | undefined
}

export type ApiAnswer = { status: number; body: object }

type Given = {
  /** Of the address, with its question mark. */
  query: string
  /** Of each call of the API; without one the browser is offline. */
  answer?: ApiAnswer | ((url: string) => ApiAnswer) | undefined
}

export async function openPage(html: string, { query, answer }: Given): Promise<Opened> {
  const [, code = ''] = /<script type="module"[^>]*>([^]*?)<\/script>/.exec(html) ?? []
  const [, json = ''] = /id="page-data">([^]*?)<\/script>/.exec(html) ?? []
  const sections = Array.from(html.matchAll(/<section id="([\w-]+)" data-part( hidden)?/g))
  const parts = new Map<string, Part>(
    sections.map(([, id = '', hidden]) => [id, { id, hidden: hidden !== undefined, textContent: '' }]),
  )
  const ids = [...parts.keys()]
  const asked: string[] = []
  const left: string[] = []
  const element = (id: string) => {
    const part: Part = parts.get(id) ?? { id, hidden: false, textContent: id === 'page-data' ? json : '' }
    parts.set(id, part)
    return Object.assign(part, {
      elements: [],
      querySelector: (selector: string) =>
        selector === 'h1, h2' || selector.startsWith('[aria-invalid') ? null : element(`${id} ${selector}`),
      getAttribute: () => null,
      setAttribute: () => undefined,
      removeAttribute: () => undefined,
      addEventListener: (_name: string, act: NonNullable<Part['submit']>) => void (part.submit = act),
    })
  }
  const go = (url: string) => void left.push(url)
  const context = createContext({
    document: {
      getElementById: element,
      querySelectorAll: (selector: string) => (selector === '[data-part]' ? ids.map(element) : []),
    },
    location: { search: query, pathname: '/', assign: go, replace: go },
    history: { replaceState: () => undefined },
    fetch: (url: string) => {
      asked.push(url)
      if (!answer) return Promise.reject(new Error('offline'))
      const { status, body } = typeof answer === 'function' ? answer(url) : answer
      return Promise.resolve({ ok: status < 300, json: () => Promise.resolve(body) })
    },
    URL,
    URLSearchParams,
    FormData: class {
      // Nothing is filled in.
      get = () => ''
    },
  })
  await new Script(`(async () => {${code}})()`).runInContext(context)
  return {
    shown: () => ids.filter((id) => parts.get(id)?.hidden === false),
    textOf: (id) => parts.get(id)?.textContent,
    asked,
    left,
    submit: (formId) => parts.get(formId)?.submit?.({ preventDefault: () => undefined }),
  }
}
