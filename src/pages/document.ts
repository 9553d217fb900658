// The frame of every page: one inlined stylesheet, scripts with a nonce, nothing from other hosts.

import { readFileSync } from 'node:fs'
import { textsIn } from '../texts/catalogue.ts'
import type { Language } from '../texts/language.ts'
import { template } from '../texts/template.ts'

export type PageContext = {
  language: Language
  /** New for each answer, and the same as in its Content-Security-Policy. */
  nonce: string
  /** The vendor's name. */
  brand: string
}

export type PageContent = {
  title: string
  /** HTML made by a template, so it is escaped already. */
  body: string
  wide?: boolean
  /** Files of browser/, without extension; they share one scope and read `data`. */
  scripts?: readonly ScriptName[]
  data?: object
}

export type ScriptName =
  | 'form'
  | 'new-password'
  | 'verify-account'
  | 'reset-password'
  | 'undo-email-change'
  | 'end-sessions'
  | 'invites'
  | 'sso'
  | 'times'

const STYLE = readFileSync(new URL('style.css', import.meta.url), 'utf8')
const SCRIPTS = {
  form: script('form'),
  'new-password': script('new-password'),
  'verify-account': script('verify-account'),
  'reset-password': script('reset-password'),
  'undo-email-change': script('undo-email-change'),
  'end-sessions': script('end-sessions'),
  invites: script('invites'),
  sso: script('sso'),
  times: script('times'),
} satisfies Record<ScriptName, string>

export function page(context: PageContext, content: PageContent): string {
  const names = content.scripts ?? []
  return frame({
    ...context,
    title: content.title,
    body: content.body,
    className: content.wide ? 'wide' : '',
    noScript: textsIn(context.language).pages.noScript,
    style: STYLE,
    data: names.length > 0 ? jsonForScript({ language: context.language, ...content.data }) : '',
    script: names.map((name) => SCRIPTS[name]).join('\n'),
  })
}

/** `form` and `mail`: pages whose forms are sent without a script; the frame of a mail sends none. */
export type PageKind = 'page' | 'form' | 'mail'

/**
 * Allows only what the pages need. A mail is shown in a frame without scripts that inherits this policy, and mails have
 * inline styles: so `mail` allows styles without a nonce.
 */
export function contentSecurityPolicy(nonce: string, kind: PageKind = 'page'): string {
  const style = kind === 'mail' ? "style-src 'unsafe-inline'" : `style-src 'nonce-${nonce}'`
  const own = `default-src 'none'; script-src 'nonce-${nonce}'; ${style}; connect-src 'self'; img-src data:`
  const target = kind === 'page' ? "'none'" : "'self'"
  return `${own}; base-uri 'none'; form-action ${target}; frame-ancestors 'none'`
}

type Frame = PageContext & Record<'title' | 'body' | 'className' | 'noScript' | 'style' | 'data' | 'script', string>

const frame = template<Frame>(`
<!doctype html>
<html lang="<%= it.language %>">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="robots" content="noindex">
<title><%= it.title %> · <%= it.brand %></title>
<link rel="icon" href="data:,">
<style nonce="<%= it.nonce %>"><%~ it.style %></style>
</head>
<body<% if (it.className) { %> class="<%= it.className %>"<% } %>>
<header><a href="/"><bdi><%= it.brand %></bdi></a></header>
<main><div class="card">
<%~ it.body %>
<% if (it.script) { %><noscript><p class="notice"><%= it.noScript %></p></noscript><% } %>
</div></main>
<% if (it.script) { %>
<script type="application/json" id="page-data"><%~ it.data %></script>
<script type="module" nonce="<%= it.nonce %>">
<%~ it.script %>
</script>
<% } %>
</body>
</html>
`)

/** The inlined files share one scope, so their imports and exports are removed. */
function script(name: ScriptName): string {
  const source = readFileSync(new URL(`browser/${name}.js`, import.meta.url), 'utf8')
  return source.replace(/^import \{[^}]*\} from '.\/[\w-]+.js'\n/gm, '').replace(/^export /gm, '')
}

/** JSON that cannot end the element it stands in. */
function jsonForScript(value: object): string {
  return JSON.stringify(value).replaceAll('<', String.raw`\u003c`)
}
