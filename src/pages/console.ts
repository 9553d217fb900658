// GET /app/…: the page of the console as its build made it, with what each answer has of its own.

import { textsIn } from '../texts/catalogue.ts'
import { template } from '../texts/template.ts'
import { page, type PageContext } from './document.ts'

/** `does`: what they do for a living; `organization` is null for staff. */
export type DemoPerson = { name: string; email: string; does: string; organization: string | null }

/** `html`: of the build. `demo`: the people as whom the demo may be looked at; there are none elsewhere. */
export type Console = { html: string; demo: { password: string; people: readonly DemoPerson[] } }

/** Fills the places that index.html of apps/console marks. */
export function consolePage({ nonce }: PageContext, { html, demo }: Console): string {
  const offered = demo.people.length === 0 ? '' : offer({ json: JSON.stringify(demo) })
  return html.replace('STYLE_NONCE', nonce).replace('<!-- DEMO -->', () => offered)
}

const offer = template<{ json: string }>(`<meta name="demo" content="<%= it.json %>">`)

export function unbuiltConsolePage(context: PageContext): string {
  const { console } = textsIn(context.language).pages
  return page(context, { title: console.title, body: body(console) })
}

const body = template<{ title: string; unbuilt: string }>(`
<h1><%= it.title %></h1>
<p class="soft"><%= it.unbuilt %></p>
`)
